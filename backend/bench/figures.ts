import { isSmoke } from './smoke.ts';

export interface Figure {
  what: string;
  measured: number;
  /** Values of the rounds, if there are several. */
  spread?: [number, number];
  wanted: { atLeast: number } | { atMost: number };
  unit?: string;
}

export function median(values: number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** Ratios of several rounds as one figure. */
export function ratioFigure(what: string, ratios: number[], wanted: Figure['wanted']): Figure {
  return { what, measured: median(ratios), spread: [Math.min(...ratios), Math.max(...ratios)], wanted };
}

/** A missed target makes the process exit with 1, unless it is a smoke run. */
export function printFigures(figures: Figure[]): void {
  if (!isSmoke && !figures.every(isReached)) process.exitCode = 1;
  const rows = figures.map(({ what, measured, spread, wanted, unit = '' }) => [
    what,
    `${format(measured)}${unit && ` ${unit}`}${spread ? ` (${spread.map(format).join(' to ')})` : ''}`,
    'atLeast' in wanted ? `at least ${wanted.atLeast}` : `at most ${wanted.atMost}`,
    verdict({ measured, wanted }),
  ]);
  const table = [['figure', 'measured', 'wanted', ''], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

const verdict = (figure: Pick<Figure, 'measured' | 'wanted'>): string => {
  if (isSmoke) return 'not compared';
  return isReached(figure) ? 'reached' : 'MISSED';
};

const isReached = ({ measured, wanted }: Pick<Figure, 'measured' | 'wanted'>): boolean =>
  'atLeast' in wanted ? measured >= wanted.atLeast : measured <= wanted.atMost;

const format = (value: number): string => (value >= 10 ? String(Math.round(value)) : value.toFixed(2));
