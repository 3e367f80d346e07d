/** How often a test repeats what it proves. The full count needs `FULL_COUNTS=1`, as each night: docs/testing.md lists both. */
const isFull = process.env['FULL_COUNTS'] === '1';

export const countOf = (usual: number, full: number): number => (isFull ? full : usual);

/** Every third value, another third for the next place, so that all values occur in all kinds of places. With `FULL_COUNTS`: all values. */
export const shareOf = <Value>(values: Value[], place: number): Value[] =>
  isFull ? values : values.filter((_, index) => (index + place) % 3 === 0);
