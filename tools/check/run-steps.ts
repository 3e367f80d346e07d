import type { CheckStep } from './steps.ts';

export interface CheckOutcome {
  name: string;
  isPassed: boolean;
  output: string;
  durationMs: number;
}

/** Runs steps in the given order, `atOnce` concurrently. A step waits for the step that it needs, and fails if that one fails. */
export async function runSteps(
  steps: CheckStep[],
  options: { atOnce: number; signal: AbortSignal; onOutcome: (outcome: CheckOutcome) => void },
): Promise<CheckOutcome[]> {
  const waiting = [...steps];
  const finished = new Map<string, Promise<CheckOutcome>>();
  const runStep = async ({ name, needs, run }: CheckStep): Promise<CheckOutcome> => {
    const needed = needs === undefined ? undefined : await finished.get(needs);
    const startedAt = Date.now();
    const result =
      needed?.isPassed === false
        ? { isPassed: false, output: `Not run, because this step failed: ${needs}` }
        : await run(options.signal);
    const outcome = { name, ...result, durationMs: Date.now() - startedAt };
    options.onOutcome(outcome);
    return outcome;
  };
  const lane = async () => {
    for (let step = waiting.shift(); step && !options.signal.aborted; step = waiting.shift()) {
      const outcome = runStep(step);
      finished.set(step.name, outcome);
      await outcome;
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, lane));
  return Promise.all(finished.values());
}
