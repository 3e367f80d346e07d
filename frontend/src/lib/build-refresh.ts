import { isRecord } from './is-record';

export type RefreshStep = 'nothing' | 'offer' | 'reload';

interface RefreshFacts {
  /** The build of this page, and the latest build of the server; null when the request failed. */
  ownBuild: string;
  latestBuild: string | null;
  /** The build that the user was offered last. */
  offeredBuild: string | null;
  hasUnsavedInput: boolean;
}

const isNewer = ({ ownBuild, latestBuild }: Pick<RefreshFacts, 'ownBuild' | 'latestBuild'>): boolean =>
  latestBuild !== null && latestBuild !== ownBuild;

/** After a poll: a newer build is offered once. An open page is never reloaded without a click. */
export const afterPoll = (facts: RefreshFacts): RefreshStep =>
  isNewer(facts) && facts.latestBuild !== facts.offeredBuild ? 'offer' : 'nothing';

/** After navigation: the next page is loaded from the newer build, unless the reload would discard unsaved input. */
export const afterNavigation = (facts: RefreshFacts): RefreshStep =>
  isNewer(facts) && !facts.hasUnsavedInput ? 'reload' : 'nothing';

/** The build id in `builds/latest.json`; null when there is none. */
export const buildIn = (body: unknown): string | null =>
  isRecord(body) && typeof body.build === 'string' && body.build !== '' ? body.build : null;
