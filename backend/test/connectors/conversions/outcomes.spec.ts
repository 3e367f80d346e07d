import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { PreparedEvent } from '../../../src/connectors/kit/conversion.js';
import type { ConversionTarget } from '../../../src/connectors/kit/conversion-target.js';
import { aContext } from '../context.js';
import { startGoogleSandbox, type GoogleSandbox } from '../google-data-manager/google-sandbox.js';
import { startMetaConversionsSandbox, type MetaConversionsSandbox } from '../meta-conversions/meta-conversions-sandbox.js';
import {
  startMicrosoftConversionsSandbox,
  type MicrosoftConversionsSandbox,
} from '../microsoft-conversions/microsoft-conversions-sandbox.js';
import { altered, prepared } from './sending.js';

let google: GoogleSandbox;
let meta: MetaConversionsSandbox;
let microsoft: MicrosoftConversionsSandbox;
let gclid: string;
let msclkid: string;
const sandboxes = () => [google, meta, microsoft];
beforeAll(async () => {
  [google, meta, microsoft] = await Promise.all([
    startGoogleSandbox(),
    startMetaConversionsSandbox(),
    startMicrosoftConversionsSandbox(),
  ]);
  [gclid, msclkid] = await Promise.all([google.gclid('9001000012'), microsoft.aClick()]);
});
afterEach(async () => void (await Promise.all(sandboxes().map((sandbox) => sandbox.clearFaults()))));
afterAll(async () => void (await Promise.all(sandboxes().map((sandbox) => sandbox.stop()))));

/** A batch with some invalid events, and a request at which the answer is lost. */
const batches = fc.record({
  size: fc.integer({ min: 1, max: 30 }),
  invalid: fc.array(fc.nat({ max: 29 }), { maxLength: 4 }),
  lostRequest: fc.option(fc.nat({ max: 6 })),
  isStored: fc.boolean(),
});

interface Platform {
  open(): Promise<ConversionTarget>;
  event(target: ConversionTarget, id: string): PreparedEvent;
  invalidate(event: PreparedEvent): PreparedEvent;
  loseAnswer(afterRequests: number, isStored: boolean): Promise<void>;
  clear(): Promise<void>;
  /** How often each event was stored. */
  stored(prefix: string): Promise<string[]>;
}

const lost = (stored: string, isStored: boolean, afterRequests: number) => ({
  fault: isStored ? stored : 'drop_connection',
  parameters: { afterRequests, times: 1, ...(isStored && { drop: true }) },
});

const platforms: Record<string, Platform> = {
  Google: {
    open: () => google.target(),
    event: (target, id) => prepared(target, id, { identifiers: { gclid } }),
    invalidate: (event) => altered(event, { currency: 'XXQ' }),
    loseAnswer: (afterRequests, isStored) => {
      const { fault, parameters } = lost('fail_after_storing', isStored, afterRequests);
      return google.fail(fault, parameters);
    },
    clear: () => google.clearFaults(),
    stored: async (prefix) =>
      (await google.stored(`ord-${prefix}`)).flatMap(({ transactionId, versions }) =>
        versions.map(() => transactionId.replace('ord-', '')),
      ),
  },
  Meta: {
    open: () => Promise.resolve(meta.target()),
    event: (target, id) => prepared(target, id),
    invalidate: (event) => altered(event, { custom_data: {} }),
    loseAnswer: (afterRequests, isStored) => {
      const { fault, parameters } = lost('fail_after_applying', isStored, afterRequests);
      return meta.fail(fault, { ...parameters, event: 'events' });
    },
    clear: () => meta.clearFaults(),
    stored: async (prefix) => (await meta.received(prefix)).filter(({ outcome }) => outcome === 'counted').map(({ id }) => id),
  },
  'Microsoft UET': {
    open: () => microsoft.target({ goal: 'Newsletter sign-up' }),
    event: (target, id) => prepared(target, id, { identifiers: { msclkid } }),
    invalidate: (event) => altered(event, { eventTime: 1 }),
    loseAnswer: (afterRequests, isStored) => {
      const { fault, parameters } = lost('fail_after_applying', isStored, afterRequests);
      return microsoft.fail(fault, { ...parameters, endpoint: 'uet' });
    },
    clear: () => microsoft.clearFaults(),
    stored: async (prefix) =>
      (await microsoft.newRows())
        .filter(({ kind, outcome }) => kind === 'uet' && outcome !== 'rejected')
        .map(({ row }) => String(row['eventId']))
        .filter((id) => id.startsWith(prefix)),
  },
};

describe.each(Object.entries(platforms))('%s', (_, platform) => {
  it('has stored what its outcomes say, whatever is invalid and wherever the answer is lost', async () => {
    let round = 0;
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(batches, async ({ size, invalid, lostRequest, isStored }) => {
        const prefix = `round${round++}-`;
        const target = await platform.open();
        const events = Array.from({ length: size }, (_, index) => {
          const event = platform.event(target, `${prefix}${index}`);
          return invalid.includes(index) ? platform.invalidate(event) : event;
        });
        if (lostRequest !== null) await platform.loseAnswer(lostRequest, isStored);
        const { outcomes, stoppedBy } = await target.send(aContext(), events);
        await platform.clear();
        const stored = await platform.stored(prefix);
        outcomes.forEach(({ state }, index) => {
          seen.add(state);
          const times = stored.filter((id) => id === events[index]!.id).length;
          if (state === 'accepted' || state === 'pending') expect(times).toBe(1);
          else if (state === 'unknown') expect(times).toBeLessThanOrEqual(isStored ? 1 : 0);
          else expect(times).toBe(0);
          if (!invalid.includes(index)) expect(state).not.toBe('rejected');
        });
        expect(outcomes.some(({ state }) => state === 'unknown' || state === 'not_sent')).toBe(stoppedBy !== null);
      }),
      { numRuns: 40 },
    );
    expect([...seen].sort()).toEqual(expect.arrayContaining(['rejected', 'unknown']));
  });
});
