import { type Level, levels, type Stream } from './contract.js';

/** What a source brings and how, as it is stored. */
export interface SourceSelection {
  level: Level;
  breakdowns: string[];
  /** Days before today that each run reads again; null takes the platform's own windows. */
  lookbackDays: number | null;
  /** What the connector's own schema has. */
  options: Record<string, unknown>;
}

/** What is stored, with what stands for everything left out: all streams, and the platform's own windows. */
export function readSelection(streams: Stream[], stored: Partial<SourceSelection>): SourceSelection {
  return {
    level: stored.level ?? 'keyword',
    breakdowns: stored.breakdowns ?? breakdownsOf(streams),
    lookbackDays: stored.lookbackDays ?? null,
    options: stored.options ?? {},
  };
}

/** The streams that a source brings: down to its level, and in the breakdowns that were chosen. */
export function offeredStreams(streams: Stream[], { level, breakdowns }: SourceSelection): Stream[] {
  return streams.filter(
    (stream) => depth(stream.level) <= depth(level) && stream.breakdowns.every((name) => breakdowns.includes(name)),
  );
}

export const breakdownsOf = (streams: Stream[]): string[] => [...new Set(streams.flatMap(({ breakdowns }) => breakdowns))];

const depth = (level: Level): number => levels.indexOf(level);
