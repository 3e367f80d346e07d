const LINE_MS = 5_000;

/** Prints a line every few seconds while the work is in progress. */
export async function announce<Result>(line: () => string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const print = () => console.log(`${line()} (${((performance.now() - startedAt) / 1_000).toFixed(0)} s)`);
  const lines = setInterval(print, LINE_MS);
  try {
    return await work();
  } finally {
    clearInterval(lines);
    print();
  }
}
