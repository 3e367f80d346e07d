/** How often a test repeats what it proves. `FULL_COUNTS=1` selects the full count: docs/testing.md lists both. */
const isFull = process.env['FULL_COUNTS'] === '1';

export const countOf = (usual: number, full: number): number => (isFull ? full : usual);

/** Every third value, another third for the next place, so that all values occur in all kinds of places. Full: all values. */
export const shareOf = <Value>(values: Value[], place: number): Value[] =>
  isFull ? values : values.filter((_, index) => (index + place) % 3 === 0);
