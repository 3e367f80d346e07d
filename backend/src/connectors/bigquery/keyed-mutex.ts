/** A mutex per key. Waiters get it in the order of their calls. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.last.get(name) ?? Promise.resolve()).then(work);
    const ended = result.catch(() => undefined);
    this.last.set(name, ended);
    try {
      return await result;
    } finally {
      if (this.last.get(name) === ended) this.last.delete(name);
    }
  }
}

/**
 * Serializes the transactions of this process per dataset. BigQuery aborts all but one of the transactions that change the same
 * table concurrently, and each transaction here changes the table of runs.
 */
export const transactionMutex = new KeyedMutex();
