const RealDate = Date;
const DAY_MS = 86_400_000;

/** Moves the time of this process. PostgreSQL and the sandbox keep the real time. */
export function moveClock(days: number): void {
  const offsetMs = days * DAY_MS;
  const moved = class extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(RealDate.now() + offsetMs);
      else super(...(given as [number]));
    }

    static override now(): number {
      return RealDate.now() + offsetMs;
    }
  };
  globalThis.Date = days === 0 ? RealDate : (moved as DateConstructor);
}

/** Rate limits count from the start of each minute: waits for the next minute if less than `leastLeftMs` of this one is left. */
export async function startEarlyInAMinute(leastLeftMs: number): Promise<void> {
  const leftMs = 60_000 - (RealDate.now() % 60_000);
  if (leftMs < leastLeftMs) await new Promise((resolve) => setTimeout(resolve, leftMs + 50));
}
