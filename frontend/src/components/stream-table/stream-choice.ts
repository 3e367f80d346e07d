import { levelsOf } from '~/api/offered-streams';
import type { CatalogStream, Destination, Level } from '~/api/types';

type Target = Pick<Destination, 'provider' | 'settings'>;

const UNIFIED = 'ad_performance_daily';
const MEASURES = ['cost_micros', 'clicks', 'impressions'];

const isSpend = ({ columns }: CatalogStream): boolean => MEASURES.some((name) => columns.some((column) => column.name === name));

/** The streams that a destination supports. Mixpanel requires cost, clicks or impressions. */
export const streamsFor = (streams: CatalogStream[], { provider }: Target): CatalogStream[] =>
  provider === 'mixpanel' ? streams.filter(isSpend) : streams;

/**
 * The default streams: campaigns, ad groups and the unified table of all platforms, without breakdowns. Finer reports are many times
 * larger. Mixpanel uses one event for all reports, so the default is one report: sums over two would count the spend twice.
 */
export function startingStreams(streams: CatalogStream[], { provider }: Target): string[] {
  const usual = streams.filter(
    ({ level, breakdowns }) => (level === 'campaign' || level === 'ad_group') && breakdowns.length === 0,
  );
  if (provider !== 'mixpanel') return (usual.length > 0 ? usual : streams).map(({ name }) => name);
  const [first] = [...usual.filter(({ name }) => name !== UNIFIED), ...usual, ...streams];
  return first ? [first.name] : [];
}

/** The streams by level, coarse to fine, after the unified table of all platforms. */
export function groupStreams(streams: CatalogStream[]): { level: Level | null; streams: CatalogStream[] }[] {
  const own = streams.filter(({ name }) => name !== UNIFIED);
  const unified = streams.filter(({ name }) => name === UNIFIED);
  const byLevel = levelsOf(own).map((level) => ({ level, streams: own.filter((stream) => stream.level === level) }));
  return [...(unified.length > 0 ? [{ level: null, streams: unified }] : []), ...byLevel];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The name of a stream at the destination: its table, or the name of its events. */
export const targetNameOf = (stream: CatalogStream, { provider, settings }: Target): string =>
  provider === 'mixpanel' ? text(settings.eventName) : text(settings.tablePrefix) + stream.table;

/** How days that changed at the platform are updated. */
export function writeModeOf({ provider, settings }: Target): string {
  if (provider !== 'mixpanel') return 'Incremental, overwrite by day';
  return settings.restatementMode === 'resend' ? 'Incremental, resend changed rows' : 'Incremental, deltas';
}

/** How each run compares the rows with the platform's own figures, in addition to the read-back from the destination. */
export const verificationText: Record<CatalogStream['verification'], string> = {
  exact_rows: 'Verified against the platform’s row count.',
  control_totals: 'Verified against the platform’s totals.',
  share_of_total: 'The platform reports only part of its total. Each run shows the share.',
  none: 'The platform has no totals. Verified at the destination only.',
};
