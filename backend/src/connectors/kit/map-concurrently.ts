/** Requests that a list of accounts sends to a platform at the same time. */
const MOST_AT_ONCE = 5;

/** The results in the order of the items. After an error no further item is started. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  let hasFailed = false;
  const workOff = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (hasFailed) return;
      results[index] = await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, workOff));
  return results;
}
