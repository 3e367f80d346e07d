import { once } from 'node:events';

/** Microsoft does not publish how many reports a user may have made at once; five is what others have found safe. */
const REPORTS_AT_ONCE = 5;

/** Lets only so many reports of one user be made at once, whatever runs ask for them in this process. */
export class ReportSlots {
  private inUse = 0;
  private readonly freed = new EventTarget();

  /** Waits for a slot; the answer gives it back, and may be called more than once. */
  async take(signal: AbortSignal): Promise<() => void> {
    while (this.inUse >= REPORTS_AT_ONCE) await this.waitForAnother(signal);
    this.inUse += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.inUse -= 1;
      this.freed.dispatchEvent(new Event('freed'));
    };
  }

  /** Until another slot is given back, but no longer than `timeoutMs`. */
  async waitForAnother(signal: AbortSignal, timeoutMs?: number): Promise<void> {
    const either = timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    await once(this.freed, 'freed', { signal: either }).catch(() => undefined);
    signal.throwIfAborted();
  }
}

/** One set of slots for each user who connects: their apps and runs share it. */
export class SlotsByUser {
  private readonly byUser = new Map<string, ReportSlots>();

  of(userId: string): ReportSlots {
    const slots = this.byUser.get(userId) ?? new ReportSlots();
    this.byUser.set(userId, slots);
    return slots;
  }
}
