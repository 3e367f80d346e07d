import { appendFileSync } from 'node:fs';
import { isSmoke } from './smoke.ts';

/** Both values of a ratio, measured in the same run. */
export interface Compared {
  ours: number;
  floor: number;
  unit: string;
}

export interface Figure {
  what: string;
  measured: number;
  /** Values of the rounds, if there are several. */
  spread?: [number, number];
  wanted: { atLeast: number } | { atMost: number };
  /** Does not depend on the machine, so that any difference counts. */
  isExact?: boolean;
  unit?: string;
  compared?: Compared;
}

export type Verdict = 'reached' | 'within 10 %' | 'MISSED' | 'not compared';

export function median(values: number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** Ratios of several rounds as one figure. */
export function ratioFigure(what: string, ratios: number[], wanted: Figure['wanted'], compared?: Compared): Figure {
  const figure: Figure = { what, measured: median(ratios), spread: [Math.min(...ratios), Math.max(...ratios)], wanted };
  return compared ? { ...figure, compared } : figure;
}

/** A missed target makes the process exit with 1, unless it is a smoke run. RESULTS_FILE gets the figures, one in a line. */
export function printFigures(figures: Figure[]): void {
  if (figures.some((figure) => verdictOf(figure) === 'MISSED')) process.exitCode = 1;
  const file = process.env['RESULTS_FILE'];
  if (file) for (const figure of figures) appendFileSync(file, `${JSON.stringify({ ...figure, verdict: verdictOf(figure) })}\n`);
  printTable(
    ['figure', 'measured', 'floor', 'wanted', ''],
    figures.map((figure) => [figure.what, measuredText(figure), floorText(figure), wantedText(figure), verdictOf(figure)]),
  );
}

export const measuredText = ({ measured, spread, unit = '', compared }: Figure): string =>
  `${format(measured)}${unit && ` ${unit}`}${spread ? ` (${spread.map(format).join(' to ')})` : ''}` +
  (compared ? `, ${format(compared.ours)} ${compared.unit}` : '');

export const floorText = ({ compared }: Figure): string => (compared ? `${format(compared.floor)} ${compared.unit}` : '–');

export const wantedText = ({ wanted }: Figure): string =>
  'atLeast' in wanted ? `at least ${wanted.atLeast}` : `at most ${wanted.atMost}`;

export function printTable(head: string[], rows: string[][]): void {
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** A figure of one run is no finer than 10 %. */
const TOLERANCE = 0.1;

function verdictOf({ measured, wanted, isExact = false }: Figure): Verdict {
  if (isSmoke) return 'not compared';
  const isWithin = (tolerance: number) =>
    'atLeast' in wanted ? measured >= wanted.atLeast * (1 - tolerance) : measured <= wanted.atMost * (1 + tolerance);
  if (isWithin(0)) return 'reached';
  return !isExact && isWithin(TOLERANCE) ? 'within 10 %' : 'MISSED';
}

const format = (value: number): string => (value >= 10 ? String(Math.round(value)) : value.toFixed(2));
