import { expect, test } from 'vitest';
import { describeError } from './http/describe-error';
import { BillingFailure } from './billing';
import { NetworkProblem, toProblem } from './http/problem';

const FIXED = 'Failed to create customer:';

test('adds the fixed text to a network error', () =>
  expect(new BillingFailure(FIXED, new NetworkProblem('The server could not be reached.')).message).toBe(
    'Failed to create customer: The server could not be reached.',
  ));

test('adds the server’s text and request id after the fixed text', () => {
  const answer = { detail: 'Stripe does not respond.', message: `${FIXED} Stripe does not respond.`, requestId: 'r-1' };
  expect(describeError(new BillingFailure(FIXED, toProblem(503, answer, null)))).toMatchObject({
    message: 'Failed to create customer: Stripe does not respond.',
    requestId: 'r-1',
  });
});

test('does not repeat the fixed text', () => {
  const answer = { message: 'Failed to create customer: Stripe does not respond.' };
  expect(new BillingFailure(FIXED, toProblem(503, answer, null)).message).toBe(answer.message);
});

test('describes a thrown value that is not an error', () =>
  expect(new BillingFailure(FIXED, 'boom').message).toBe('Failed to create customer: An unexpected error occurred'));
