import type { CatalogStream, Level, SourceSettings } from './types';

/** The level of detail of a row, coarse to fine. */
const LEVELS: readonly Level[] = ['account', 'campaign', 'ad_group', 'ad', 'keyword'];

const words: Record<Level, string> = {
  account: 'Account',
  campaign: 'Campaign',
  ad_group: 'Ad group',
  ad: 'Ad',
  keyword: 'Keyword',
};

/** Meta calls an ad group an ad set. */
export const levelWord = (level: Level, provider: string): string =>
  level === 'ad_group' && provider === 'meta_ads' ? 'Ad set' : words[level];

/** The label of a breakdown: `Search term` for `search_term`. */
export const breakdownWord = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The levels with reports on this platform. */
export const levelsOf = (streams: CatalogStream[]): Level[] =>
  LEVELS.filter((level) => streams.some((stream) => stream.level === level));

/** The finest offered level that is not finer than the requested one. */
export const nearestLevel = (requested: Level, offered: Level[]): Level | undefined =>
  offered.findLast((level) => LEVELS.indexOf(level) <= LEVELS.indexOf(requested)) ?? offered[0];

export const breakdownsOf = (streams: CatalogStream[]): string[] => [...new Set(streams.flatMap(({ breakdowns }) => breakdowns))];

/** The reports of a source: down to its level, with only the selected breakdowns. */
export const offeredStreams = (
  streams: CatalogStream[],
  { level, breakdowns }: Pick<SourceSettings, 'level' | 'breakdowns'>,
): CatalogStream[] =>
  streams.filter(
    (stream) =>
      LEVELS.indexOf(stream.level) <= LEVELS.indexOf(level) && stream.breakdowns.every((name) => breakdowns.includes(name)),
  );
