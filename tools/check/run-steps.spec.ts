import { describe, expect, it } from 'vitest';
import { runSteps } from './run-steps.ts';
import type { CheckStep } from './steps.ts';

const step = (name: string, isPassed: boolean, needs?: string): CheckStep => ({
  name,
  needs,
  run: async () => ({ isPassed, output: name }),
});

function run(steps: CheckStep[], signal = new AbortController().signal) {
  return runSteps(steps, { atOnce: 2, signal, onOutcome: () => {} });
}

describe('runSteps', () => {
  it('fails a step that needs a failed step, without running it', async () => {
    let hasRun = false;
    const types: CheckStep = {
      ...step('types', true, 'build'),
      run: async () => {
        hasRun = true;
        return { isPassed: true, output: '' };
      },
    };
    const outcomes = await run([step('build', false), types]);
    expect(outcomes.map(({ name, isPassed }) => [name, isPassed])).toEqual([
      ['build', false],
      ['types', false],
    ]);
    expect(hasRun).toBe(false);
  });

  it('continues after a failure, so that one run reports all failures', async () => {
    const outcomes = await run([step('one', false), step('two', true), step('three', false)]);
    expect(outcomes.filter(({ isPassed }) => !isPassed).map(({ name }) => name)).toEqual(['one', 'three']);
  });
});
