import { isRecord } from './is-record';

export type RefreshStep = 'nothing' | 'offer' | 'reload';

interface RefreshFacts {
  /** What runs here, and what the server says it serves; null when it did not say. */
  ownBuild: string;
  latestBuild: string | null;
  /** The newest build that has been offered already. */
  offeredBuild: string | null;
  hasTypedInput: boolean;
}

const isNewer = ({ ownBuild, latestBuild }: Pick<RefreshFacts, 'ownBuild' | 'latestBuild'>): boolean =>
  latestBuild !== null && latestBuild !== ownBuild;

/** When the server was asked: a newer build is offered once, and never forced upon an open page. */
export const afterPoll = (facts: RefreshFacts): RefreshStep =>
  isNewer(facts) && facts.latestBuild !== facts.offeredBuild ? 'offer' : 'nothing';

/** When the reader goes to another page: nothing is lost by loading that one from the newer build, unless something typed still stands. */
export const afterNavigation = (facts: RefreshFacts): RefreshStep =>
  isNewer(facts) && !facts.hasTypedInput ? 'reload' : 'nothing';

/** The build that `builds/latest.json` names. */
export const buildIn = (body: unknown): string | null =>
  isRecord(body) && typeof body.build === 'string' && body.build !== '' ? body.build : null;
