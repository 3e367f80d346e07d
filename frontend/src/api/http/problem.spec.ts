import { expect, test } from 'vitest';
import { describeError } from './describe-error';
import { ApiProblem, isNotFound, NetworkProblem, toProblem } from './problem';

test('converts a response without problem details', () => {
  const problem = toProblem(502, null, 'r-1');
  expect(describeError(problem)).toEqual({
    kind: 'Server',
    title: null,
    message: 'The server returned status 502',
    action: null,
    requestId: 'r-1',
    planAction: null,
  });
});

test('returns the plan action for a missing plan', () => {
  const planActionOf = (code: string) => describeError(toProblem(402, { code, detail: 'It has ended' }, null)).planAction;
  expect(planActionOf('subscription.required')).toBe('Choose a plan');
  expect(planActionOf('subscription.limit_reached')).toBe('See the plan');
});

test('keeps code, action, request id and checks of problem details', () => {
  const check = { code: 'password', label: 'Password accepted', state: 'failed', detail: 'wrong', action: null, durationMs: 4 };
  const problem = toProblem(
    422,
    {
      title: 'Unprocessable',
      detail: 'The destination did not pass',
      code: 'destination.check_failed',
      action: 'Fix it',
      checks: [check],
      requestId: 'r-2',
    },
    null,
  );
  expect(problem).toBeInstanceOf(ApiProblem);
  expect(problem).toMatchObject({
    status: 422,
    code: 'destination.check_failed',
    action: 'Fix it',
    requestId: 'r-2',
    checks: [check],
  });
});

test('reads `message` of the calls in the specification', () => {
  expect(toProblem(500, { success: false, message: 'Failed to create user in the database.' }, null).message).toBe(
    'Failed to create user in the database.',
  );
});

test('describes a thrown value that is not an error', () => {
  expect(describeError('boom').message).toBe('An unexpected error occurred');
  expect(describeError(new NetworkProblem('No response')).kind).toBe('Network');
});

test('recognizes only a 404 response as not found', () => {
  expect(isNotFound(toProblem(404, {}, null))).toBe(true);
  expect(isNotFound(new Error('404'))).toBe(false);
});
