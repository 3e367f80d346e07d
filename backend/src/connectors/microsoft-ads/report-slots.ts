import { once } from 'node:events';

/** Microsoft does not publish its limit of concurrent reports per user. Five is a safe value in other clients. */
const REPORTS_AT_ONCE = 5;

/** Limits the concurrent reports of one user across all runs of this process. */
export class ReportSlots {
  private inUse = 0;
  private readonly freed = new EventTarget();

  /** Waits for a slot. Returns the function that releases it, which may be called more than once. */
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

  /** Waits until another slot is released, but at most `timeoutMs`. */
  async waitForAnother(signal: AbortSignal, timeoutMs?: number): Promise<void> {
    const either = timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    await once(this.freed, 'freed', { signal: either }).catch(() => undefined);
    signal.throwIfAborted();
  }
}

/** The slots by connected user. All apps and runs of a user share them. */
export class SlotsByUser {
  private readonly byUser = new Map<string, ReportSlots>();

  of(userId: string): ReportSlots {
    const slots = this.byUser.get(userId) ?? new ReportSlots();
    this.byUser.set(userId, slots);
    return slots;
  }
}
