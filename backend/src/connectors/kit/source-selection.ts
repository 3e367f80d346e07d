import { type Level, levels, type Stream } from './contract.js';

/** What a source reads, as stored. */
export interface SourceSelection {
  level: Level;
  breakdowns: string[];
  /** Days before today that each run reads again; null: the platform's own lookback window. */
  lookbackDays: number | null;
  /** Settings defined by the connector's schema. */
  options: Record<string, unknown>;
}

/** The stored selection with defaults for missing parts: all streams, and the platform's own lookback window. */
export function readSelection(streams: Stream[], stored: Partial<SourceSelection>): SourceSelection {
  return {
    level: stored.level ?? 'keyword',
    breakdowns: stored.breakdowns ?? breakdownsOf(streams),
    lookbackDays: stored.lookbackDays ?? null,
    options: stored.options ?? {},
  };
}

/** The streams of a source: down to its level, with the selected breakdowns. */
export function offeredStreams(streams: Stream[], { level, breakdowns }: SourceSelection): Stream[] {
  return streams.filter(
    (stream) => depth(stream.level) <= depth(level) && stream.breakdowns.every((name) => breakdowns.includes(name)),
  );
}

export const breakdownsOf = (streams: Stream[]): string[] => [...new Set(streams.flatMap(({ breakdowns }) => breakdowns))];

const depth = (level: Level): number => levels.indexOf(level);
