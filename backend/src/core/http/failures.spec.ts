import { describe, expect, it } from 'vitest';
import { FixSettings, RetryLater } from '../../connectors/kit/errors.js';
import { asProblem } from './failures.js';
import { Problem } from './problem.js';

const DETAIL = { code: 'test.busy', message: 'The platform is busy.', action: 'Try again later' };
const waitOf = (retryAfterSeconds: number | null) => asProblem(new RetryLater({ ...DETAIL, retryAfterSeconds }));

describe('the problem of a temporary failure', () => {
  it.each([
    ['the wait that the platform asks for', 17, 17],
    ['a whole number of seconds', 2.4, 3],
    ['at least one second', 0, 1],
    ['at most a day', 200_000, 86_400],
    ['a minute if the platform names none', null, 60],
  ])('has %s', (_what, asked, shown) => {
    expect(waitOf(asked)).toMatchObject({ code: 'provider.unavailable', problem: { retryAfterSeconds: shown } });
  });
});

it('gives no wait for a failure that only a user can fix', () => {
  const problem = asProblem(new FixSettings(DETAIL)) as Problem;
  expect(problem.code).toBe('provider.failed');
  expect(problem.problem.retryAfterSeconds).toBeUndefined();
});
