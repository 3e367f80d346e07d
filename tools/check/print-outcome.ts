import type { CheckOutcome } from './run-steps.ts';

export function printOutcome({ name, isPassed, output, durationMs }: CheckOutcome): void {
  console.log(`${isPassed ? '✓' : '✗'} ${name.padEnd(44)} ${(durationMs / 1000).toFixed(1)} s`);
  if (!isPassed) console.log(output.trim().replaceAll(/^/gm, '    '));
}
