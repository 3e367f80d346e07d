import { expect, it } from 'vitest';
import { RetryLater } from '../../connectors/kit/errors.js';
import { retryLimit, retrySeconds } from './back-off.js';

const errorOf = (detail: { failureClass: 'quota' | 'transient'; retryAfterSeconds: number | null }) =>
  new RetryLater({ code: 'test.busy', message: 'Busy.', action: 'None', ...detail });

/** Hours until a run fails whose every attempt ends with the error. */
function hoursUntilFailure(error: RetryLater): number {
  let seconds = 0;
  for (let faults = 0; faults < retryLimit(error); faults += 1) seconds += retrySeconds(error, faults);
  return seconds / 3_600;
}

it.each([
  ['a lost connection', errorOf({ failureClass: 'transient', retryAfterSeconds: null }), 0.8, 1.1],
  ['a busy platform that asks for short waits', errorOf({ failureClass: 'transient', retryAfterSeconds: 1 }), 0.8, 1.1],
  ['a quota without a wait', errorOf({ failureClass: 'quota', retryAfterSeconds: null }), 24, 26],
  ['a quota with a wait of one minute', errorOf({ failureClass: 'quota', retryAfterSeconds: 60 }), 24, 26],
  ['a quota that resets in eight hours', errorOf({ failureClass: 'quota', retryAfterSeconds: 8 * 3_600 }), 24, 8 * 11],
] as const)('%s fails a run after the documented time', (_, error, least, most) => {
  expect(hoursUntilFailure(error)).toBeGreaterThanOrEqual(least);
  expect(hoursUntilFailure(error)).toBeLessThanOrEqual(most);
});

it('never retries before the time that the platform names', () => {
  const error = errorOf({ failureClass: 'quota', retryAfterSeconds: 60 });
  expect([0, 1, 5, 6, 50].map((faults) => retrySeconds(error, faults))).toEqual([60, 60, 80, 160, 900]);
});
