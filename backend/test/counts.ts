/** How often a test repeats what it proves. `QUICK_COUNTS=1` selects the smaller count: docs/testing.md lists both. */
const isFull = process.env['QUICK_COUNTS'] !== '1';

export const countOf = (quick: number, full: number): number => (isFull ? full : quick);

/** Every third value, another third for the next place, so that all values occur in all kinds of places. Without `QUICK_COUNTS`: all values. */
export const shareOf = <Value>(values: Value[], place: number): Value[] =>
  isFull ? values : values.filter((_, index) => (index + place) % 3 === 0);
