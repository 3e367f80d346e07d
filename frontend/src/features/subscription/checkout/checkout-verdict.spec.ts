import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CheckoutAnswer } from './checkout-verdict';
import { CHECK_FOR_MS, followCheckout, verdictOf } from './checkout-verdict';

const open: CheckoutAnswer = { kind: 'open' };
const processing: CheckoutAnswer = { kind: 'processing' };
const unknown: CheckoutAnswer = { kind: 'unknown' };
const failed: CheckoutAnswer = { kind: 'failed', error: new Error('503'), isFinal: false };
const refused: CheckoutAnswer = { kind: 'failed', error: new Error('403'), isFinal: true };

test.each<[string, CheckoutAnswer[], number, CheckoutAnswer | null]>([
  ['nothing asked yet', [], 0, null],
  ['a refusal ends it', [refused], 100, refused],
  ['a server in trouble is asked again', [failed, failed], 2_000, null],
  ['until the time is up', [failed, failed], 30_000, failed],
  ['an unknown checkout is asked for again', [unknown, unknown], 4_000, null],
  ['and a third time tells', [unknown, unknown, unknown], 6_000, unknown],
  ['unless something else was heard in between', [unknown, failed, unknown, unknown], 8_000, null],
  ['a payment under way is waited for', [unknown, processing], 28_000, null],
  ['and said to be under way in the end', [processing], 30_100, processing],
  ['paid ends it at once', [processing, open], 4_000, open],
  ['also after the time', [processing, open], 31_000, open],
])('%s', (_name, answers, elapsedMs, expected) => expect(verdictOf(answers, elapsedMs)).toBe(expected));

describe('following a checkout', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Brings these answers, and after the last one none any more. */
  function silentAfter(...answers: CheckoutAnswer[]) {
    const left = [...answers];
    return () => {
      const next = left.shift();
      return next ? Promise.resolve(next) : new Promise<CheckoutAnswer>(() => undefined);
    };
  }

  test.each<[string, CheckoutAnswer[], object]>([
    ['a first question that is never answered', [], { kind: 'failed', isFinal: false }],
    ['an unknown checkout, and then silence', [unknown], { kind: 'failed', isFinal: false }],
    ['a payment under way, and then silence', [processing], processing],
  ])('%s is over after half a minute', async (_name, answers, expected) => {
    const verdict = followCheckout(silentAfter(...answers), () => false);
    await vi.advanceTimersByTimeAsync(CHECK_FOR_MS);
    expect(await Promise.race([verdict, Promise.resolve('still asking')])).toMatchObject(expected);
  });

  test('says in the fixed text that nothing was heard', async () => {
    const verdict = followCheckout(silentAfter(), () => false);
    await vi.advanceTimersByTimeAsync(CHECK_FOR_MS);
    expect(await verdict).toMatchObject({
      error: { message: 'Failed to check for checkout session validity: There was no answer within 30 seconds.' },
    });
  });

  test('ends when the page is left', async () => {
    let isGone = false;
    const verdict = followCheckout(silentAfter(unknown, unknown), () => isGone);
    isGone = true;
    await vi.advanceTimersByTimeAsync(CHECK_FOR_MS);
    expect(await verdict).toBeNull();
  });
});
