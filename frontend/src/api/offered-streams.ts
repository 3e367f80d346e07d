import type { CatalogStream, Level, SourceSettings } from './types';

/** What a row is about, coarse to fine. */
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

/** `search_term` as people read it. */
export const breakdownWord = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The levels a platform has reports for. */
export const levelsOf = (streams: CatalogStream[]): Level[] =>
  LEVELS.filter((level) => streams.some((stream) => stream.level === level));

/** The level in a list of what there is: the finest that is not beyond the wanted one. */
export const nearestLevel = (wanted: Level, offered: Level[]): Level | undefined =>
  offered.findLast((level) => LEVELS.indexOf(level) <= LEVELS.indexOf(wanted)) ?? offered[0];

export const breakdownsOf = (streams: CatalogStream[]): string[] => [...new Set(streams.flatMap(({ breakdowns }) => breakdowns))];

/** Reports that a source brings: down to its level, and in the breakdowns that were chosen. */
export const offeredStreams = (
  streams: CatalogStream[],
  { level, breakdowns }: Pick<SourceSettings, 'level' | 'breakdowns'>,
): CatalogStream[] =>
  streams.filter(
    (stream) =>
      LEVELS.indexOf(stream.level) <= LEVELS.indexOf(level) && stream.breakdowns.every((name) => breakdowns.includes(name)),
  );
