import { expect, test } from 'vitest';
import type { CheckoutAnswer } from './checkout-verdict';
import { verdictOf } from './checkout-verdict';

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
