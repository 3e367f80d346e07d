import { expect, test } from 'vitest';
import { describeError } from './describe-error';
import { ApiProblem, isNotFound, NetworkProblem, toProblem } from './problem';

test('a page of a proxy becomes a problem with its status, never a crash', () => {
  const problem = toProblem(502, null, 'r-1');
  expect(describeError(problem)).toEqual({
    kind: 'Server',
    title: null,
    message: 'The server answered 502',
    action: null,
    requestId: 'r-1',
    planAction: null,
  });
});

test('a plan that is missing has one way out', () => {
  const planActionOf = (code: string) => describeError(toProblem(402, { code, detail: 'It has ended' }, null)).planAction;
  expect(planActionOf('subscription.required')).toBe('Choose a plan');
  expect(planActionOf('subscription.limit_reached')).toBe('See the plan');
});

test('problem details keep code, action, request id and the itemised checks', () => {
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

test('the documented calls say what happened in `message`', () => {
  expect(toProblem(500, { success: false, message: 'Failed to create user in the database.' }, null).message).toBe(
    'Failed to create user in the database.',
  );
});

test('a thrown value that is no error has a text of its own', () => {
  expect(describeError('boom').message).toBe('An unexpected error occurred');
  expect(describeError(new NetworkProblem('The server did not answer')).kind).toBe('Network');
});

test('only a 404 of the server is "not found"', () => {
  expect(isNotFound(toProblem(404, {}, null))).toBe(true);
  expect(isNotFound(new Error('404'))).toBe(false);
});
