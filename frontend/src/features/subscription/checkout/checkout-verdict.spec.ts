import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CheckoutAnswer } from './checkout-verdict';
import { CHECK_FOR_MS, followCheckout, verdictOf } from './checkout-verdict';

const open: CheckoutAnswer = { kind: 'open' };
const processing: CheckoutAnswer = { kind: 'processing' };
const unknown: CheckoutAnswer = { kind: 'unknown' };
const failed: CheckoutAnswer = { kind: 'failed', error: new Error('503'), isFinal: false };
const rejected: CheckoutAnswer = { kind: 'failed', error: new Error('403'), isFinal: true };

test.each<[string, CheckoutAnswer[], number, CheckoutAnswer | null]>([
  ['returns null without answers', [], 0, null],
  ['stops at a final error', [rejected], 100, rejected],
  ['retries after a server error', [failed, failed], 2_000, null],
  ['returns the server error after the timeout', [failed, failed], 30_000, failed],
  ['retries an unknown checkout', [unknown, unknown], 4_000, null],
  ['stops at the third consecutive unknown answer', [unknown, unknown, unknown], 6_000, unknown],
  ['counts only consecutive unknown answers', [unknown, failed, unknown, unknown], 8_000, null],
  ['waits while the payment is processing', [unknown, processing], 28_000, null],
  ['returns processing after the timeout', [processing], 30_100, processing],
  ['stops when the plan is open', [processing, open], 4_000, open],
  ['stops when the plan is open after the timeout', [processing, open], 31_000, open],
])('%s', (_name, answers, elapsedMs, expected) => expect(verdictOf(answers, elapsedMs)).toBe(expected));

describe('following a checkout', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Returns these answers in order, then promises that never resolve. */
  function respondWith(...answers: CheckoutAnswer[]) {
    const left = [...answers];
    return () => {
      const next = left.shift();
      return next ? Promise.resolve(next) : new Promise<CheckoutAnswer>(() => undefined);
    };
  }

  test.each<[string, CheckoutAnswer[], object]>([
    ['a first request without a response', [], { kind: 'failed', isFinal: false }],
    ['an unknown checkout followed by no response', [unknown], { kind: 'failed', isFinal: false }],
    ['a processing payment followed by no response', [processing], processing],
  ])('stops after 30 seconds for %s', async (_name, answers, expected) => {
    const verdict = followCheckout(respondWith(...answers), () => false);
    await vi.advanceTimersByTimeAsync(CHECK_FOR_MS);
    expect(await Promise.race([verdict, Promise.resolve('still checking')])).toMatchObject(expected);
  });

  test('reports a timeout with the specified text', async () => {
    const verdict = followCheckout(respondWith(), () => false);
    await vi.advanceTimersByTimeAsync(CHECK_FOR_MS);
    expect(await verdict).toMatchObject({
      error: { message: 'Failed to check for checkout session validity: There was no answer within 30 seconds.' },
    });
  });

  test('stops when the page is closed', async () => {
    let isCanceled = false;
    const verdict = followCheckout(respondWith(unknown, unknown), () => isCanceled);
    isCanceled = true;
    await vi.advanceTimersByTimeAsync(CHECK_FOR_MS);
    expect(await verdict).toBeNull();
  });
});
