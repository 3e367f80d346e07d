/** Lets one piece of work after the other have a thing, in the order of their asking. */
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
 * Transactions of this process, by dataset. BigQuery aborts all but one of those that change the same table at once, and
 * each of ours changes the table of runs.
 */
export const transactionMutex = new KeyedMutex();
