/** Callers that ask for the same thing at the same time share one answer. Of one process: several may fetch at the same time. */
export class SingleFlight<Result> {
  private readonly underWay = new Map<string, Promise<Result>>();

  share(key: string, work: () => Promise<Result>): Promise<Result> {
    const current = this.underWay.get(key);
    if (current) return current;
    const started = work().finally(() => this.underWay.delete(key));
    this.underWay.set(key, started);
    return started;
  }
}
