/** Concurrent calls with the same key share one result. Per process: several processes may run the same work at the same time. */
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
