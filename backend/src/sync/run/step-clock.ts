export type SliceStep = 'extract' | 'stage' | 'load' | 'verify';

/** Milliseconds in each step of a slice. */
export type StepMs = Record<SliceStep, number>;

/** Measures how long a slice is in each step. A destination pulls pages, so that extracting and staging alternate. */
export class StepClock {
  private readonly spent: StepMs = { extract: 0, stage: 0, load: 0, verify: 0 };
  private current: SliceStep = 'stage';
  private sinceMs = performance.now();

  enter(step: SliceStep): void {
    const nowMs = performance.now();
    this.spent[this.current] += nowMs - this.sinceMs;
    this.current = step;
    this.sinceMs = nowMs;
  }

  /** Ends the current step. */
  take(): StepMs {
    this.enter(this.current);
    const { extract, stage, load, verify } = this.spent;
    return { extract: Math.round(extract), stage: Math.round(stage), load: Math.round(load), verify: Math.round(verify) };
  }
}
