export interface Stoppable {
  stop(): Promise<unknown>;
  /** Stops immediately, with SIGKILL. */
  kill(): void;
}

/** Processes stop before the services that they use. */
const STAGES = ['product', 'sandbox', 'auth', 'postgres'] as const;
export type Stage = (typeof STAGES)[number];

export class StopOrder {
  readonly #started = new Map<Stage, Stoppable[]>();
  #stopped: Promise<void> | null = null;

  get isStopping(): boolean {
    return this.#stopped !== null;
  }

  add(stage: Stage, stoppable: Stoppable): void {
    this.#started.set(stage, [...(this.#started.get(stage) ?? []), stoppable]);
  }

  stopAll(): Promise<void> {
    this.#stopped ??= this.#stopStages();
    return this.#stopped;
  }

  killAll(): void {
    for (const stoppable of [...this.#started.values()].flat()) stoppable.kill();
  }

  /** Continues after an error, so that no process stays running. */
  async #stopStages(): Promise<void> {
    const errors: unknown[] = [];
    for (const stage of STAGES) {
      const results = await Promise.allSettled((this.#started.get(stage) ?? []).map((stoppable) => stoppable.stop()));
      errors.push(...results.filter((result) => result.status === 'rejected').map((result): unknown => result.reason));
    }
    if (errors.length > 0) throw new AggregateError(errors, `Some processes did not stop: ${errors.map(String).join('; ')}`);
  }
}
