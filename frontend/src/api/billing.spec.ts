import { expect, test } from 'vitest';
import { describeError } from './http/describe-error';
import { BillingFailure } from './billing';
import { NetworkProblem, toProblem } from './http/problem';

const FIXED = 'Failed to create customer:';

test('a server that was not reached is told in the fixed text too', () =>
  expect(new BillingFailure(FIXED, new NetworkProblem('The server could not be reached.')).message).toBe(
    'Failed to create customer: The server could not be reached.',
  ));

test('the server’s text comes behind the fixed one, with its request', () => {
  const answer = { detail: 'Stripe does not answer.', message: `${FIXED} Stripe does not answer.`, requestId: 'r-1' };
  expect(describeError(new BillingFailure(FIXED, toProblem(503, answer, null)))).toMatchObject({
    message: 'Failed to create customer: Stripe does not answer.',
    requestId: 'r-1',
  });
});

test('an answer that has nothing but the fixed text is not told twice', () => {
  const answer = { message: 'Failed to create customer: Stripe does not answer.' };
  expect(new BillingFailure(FIXED, toProblem(503, answer, null)).message).toBe(answer.message);
});

test('a thrown value that is no error has a text of its own', () =>
  expect(new BillingFailure(FIXED, 'boom').message).toBe('Failed to create customer: An unexpected error occurred'));
