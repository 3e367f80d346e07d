import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { sendBisecting, type BatchAnswer, type Rejection } from '../../../src/connectors/kit/bisect.js';
import type { ConversionOutcome } from '../../../src/connectors/kit/conversion-target.js';
import { RetryLater } from '../../../src/connectors/kit/errors.js';

const rejection = (code: string): Rejection => ({
  state: 'rejected',
  code,
  message: 'The event is not valid.',
  isRetryable: false,
  retryAfterSeconds: null,
});
const accepted: ConversionOutcome = { state: 'accepted', requestId: null, notes: [] };

/** A platform that takes nothing of a request with an invalid event. It names at most `named` invalid events. */
function strictPlatform(isInvalid: (event: number) => boolean, named: number) {
  const taken: number[] = [];
  const requests: number[][] = [];
  const send = (part: number[]): Promise<BatchAnswer> => {
    requests.push(part);
    const invalid = [...part.keys()].filter((position) => isInvalid(part[position]!));
    if (invalid.length === 0) {
      taken.push(...part);
      return Promise.resolve({ state: 'taken', outcomes: part.map(() => accepted) });
    }
    const known = new Map(invalid.slice(0, named).map((position) => [position, rejection('named')]));
    return Promise.resolve({ state: 'refused', invalid: known, reason: rejection('found') });
  };
  return { taken, requests, send };
}

const eventsUpTo = (count: number): number[] => [...Array(count).keys()];

describe('events of which the platform rejects some', () => {
  it('are all taken but the invalid ones, each once, however many the platform names', async () => {
    const sizes = fc.integer({ min: 0, max: 60 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(fc.nat({ max: 59 })), fc.nat({ max: 3 }), async (count, invalid, named) => {
        const platform = strictPlatform((event) => invalid.includes(event), named);
        const { outcomes, stoppedBy } = await sendBisecting({}, eventsUpTo(count), platform.send, 1_000);
        expect(stoppedBy).toBeNull();
        expect(outcomes.map(({ state }) => state)).toEqual(
          eventsUpTo(count).map((event) => (invalid.includes(event) ? 'rejected' : 'accepted')),
        );
        expect(platform.taken).toEqual(eventsUpTo(count).filter((event) => !invalid.includes(event)));
      }),
    );
  });

  it('take two requests if the platform names the invalid one of 2,000', async () => {
    const platform = strictPlatform((event) => event === 777, 10);
    const { outcomes } = await sendBisecting({}, eventsUpTo(2_000), platform.send);
    expect(platform.requests).toHaveLength(2);
    expect(outcomes[777]).toEqual(rejection('named'));
    expect(platform.taken).toHaveLength(1_999);
  });

  it('take few requests if the platform does not name the invalid one of 500', async () => {
    const platform = strictPlatform((event) => event === 333, 0);
    const { outcomes } = await sendBisecting({}, eventsUpTo(500), platform.send);
    expect(platform.requests.length).toBeLessThanOrEqual(20);
    expect(outcomes[333]).toEqual(rejection('found'));
    expect(platform.taken).toHaveLength(499);
  });

  it('are left for later after a limited number of requests', async () => {
    const platform = strictPlatform(() => true, 0);
    const { outcomes, stoppedBy } = await sendBisecting({}, eventsUpTo(2_000), platform.send);
    expect(platform.requests).toHaveLength(100);
    expect(stoppedBy).toMatchObject({ code: 'conversions.many_rejections', failureClass: 'transient' });
    expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(['rejected', 'not_sent']));
  });
});

it('a failure of the platform stops the batch and keeps what was decided before', async () => {
  const error = new RetryLater({ code: 'x.y', message: 'The platform had an error.', action: 'None' });
  const unknown = { state: 'unknown', code: 'x.y', message: 'No answer arrived.' } as const;
  const platform = strictPlatform((event) => event === 0, 0);
  const send = (part: number[]) =>
    part.includes(4) && part.length < 8
      ? Promise.resolve<BatchAnswer>({ state: 'stopped', outcome: unknown, error })
      : platform.send(part);
  const { outcomes, stoppedBy } = await sendBisecting({}, eventsUpTo(8), send);
  expect(stoppedBy).toBe(error);
  expect(outcomes.map(({ state }) => state)).toEqual([
    ...['rejected', 'accepted', 'accepted', 'accepted'],
    ...['unknown', 'unknown', 'unknown', 'unknown'],
  ]);
});

it('a part that is in progress when the worker is stopped is answered, and no other is sent', async () => {
  const platform = strictPlatform((event) => event === 0, 0);
  const stop = new AbortController();
  const send = (part: number[]) => {
    if (part.includes(2) && part.length === 2) stop.abort();
    return platform.send(part);
  };
  const { outcomes, stoppedBy } = await sendBisecting({ ending: stop.signal }, eventsUpTo(8), send);
  expect(stoppedBy).toBeNull();
  expect(outcomes.map(({ state }) => state)).toEqual([
    ...['rejected', 'accepted', 'accepted', 'accepted'],
    ...['not_sent', 'not_sent', 'not_sent', 'not_sent'],
  ]);
});

it('an event that the answer does not mention has an unknown outcome', async () => {
  const { outcomes } = await sendBisecting({}, [1, 2], () => Promise.resolve({ state: 'taken', outcomes: [accepted] }));
  expect(outcomes).toEqual([accepted, expect.objectContaining({ state: 'unknown', code: 'conversions.no_outcome' })]);
});
