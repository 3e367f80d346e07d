import { levelsOf } from '~/api/offered-streams';
import type { CatalogStream, Destination, Level } from '~/api/types';

type Target = Pick<Destination, 'provider' | 'settings'>;

const UNIFIED = 'ad_performance_daily';
const MEASURES = ['cost_micros', 'clicks', 'impressions'];

const isSpend = ({ columns }: CatalogStream): boolean => MEASURES.some((name) => columns.some((column) => column.name === name));

/** What a destination can make something of: Mixpanel takes spend, clicks and impressions, and no report without them. */
export const streamsFor = (streams: CatalogStream[], { provider }: Target): CatalogStream[] =>
  provider === 'mixpanel' ? streams.filter(isSpend) : streams;

/**
 * What most people begin with: campaigns and ad groups as a whole, and the table of all platforms. Finer reports are many times
 * larger. Mixpanel has one event for all of them, so that it begins with one report: sums over two would count the spend twice.
 */
export function startingStreams(streams: CatalogStream[], { provider }: Target): string[] {
  const usual = streams.filter(
    ({ level, breakdowns }) => (level === 'campaign' || level === 'ad_group') && breakdowns.length === 0,
  );
  if (provider !== 'mixpanel') return (usual.length > 0 ? usual : streams).map(({ name }) => name);
  const [first] = [...usual.filter(({ name }) => name !== UNIFIED), ...usual, ...streams];
  return first ? [first.name] : [];
}

/** The streams of each level, coarse to fine; the table of all platforms stands by itself, before them. */
export function groupStreams(streams: CatalogStream[]): { level: Level | null; streams: CatalogStream[] }[] {
  const own = streams.filter(({ name }) => name !== UNIFIED);
  const unified = streams.filter(({ name }) => name === UNIFIED);
  const byLevel = levelsOf(own).map((level) => ({ level, streams: own.filter((stream) => stream.level === level) }));
  return [...(unified.length > 0 ? [{ level: null, streams: unified }] : []), ...byLevel];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a stream is called at the destination: its table, or the event that every row becomes. */
export const targetNameOf = (stream: CatalogStream, { provider, settings }: Target): string =>
  provider === 'mixpanel' ? text(settings.eventName) : text(settings.tablePrefix) + stream.table;

/** How days that changed at the platform are put right. */
export function writeModeOf({ provider, settings }: Target): string {
  if (provider !== 'mixpanel') return 'Replace by day';
  return settings.restatementMode === 'resend' ? 'Send changed rows again' : 'Exact differences';
}

/** How each run compares the rows with the platform's own figures, in addition to the read-back from the destination. */
export const verificationText: Record<CatalogStream['verification'], string> = {
  exact_rows: 'Verified against the platform’s row count.',
  control_totals: 'Verified against the platform’s totals.',
  share_of_total: 'The platform lists only a part of its total. Each run shows how much.',
  none: 'The platform offers no totals. Verified at the destination only.',
};
