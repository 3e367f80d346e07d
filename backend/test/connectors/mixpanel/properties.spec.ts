import { afterAll, beforeAll, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Row } from '../../../src/connectors/kit/contract.js';
import {
  formatDecimal,
  fromMicros,
  fromNumber,
  parseDecimal,
  toMicros,
  toNumber,
} from '../../../src/connectors/mixpanel/decimal.js';
import { countOf } from '../../counts.js';
import { credentials, MixpanelSandbox, startMixpanel, Target, webProject } from './mixpanel-sandbox.js';
import { sumRowsByDay } from '../rows.js';

/**
 * Whatever happens between source and Mixpanel, in any order: Mixpanel's reports add up to the source's last state. Every
 * sequence runs against the sandbox process with its own account.
 */
let mixpanel: MixpanelSandbox;
beforeAll(async () => {
  mixpanel = await startMixpanel();
});
afterAll(() => mixpanel.sandbox.stop());

const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
const wholeNumber = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2_000_000_000 })).map(BigInt);
const fraction = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 3_000 }).map((value) => value / 1_000),
);

/** A state of the source: some of twelve rows with any numbers. May be empty, when all rows were removed. */
const sourceState = fc.uniqueArray(
  fc.record({
    campaign_id: fc.integer({ min: 1, max: 4 }).map(BigInt),
    date: fc.constantFrom(...days),
    clicks: wholeNumber,
    impressions: wholeNumber,
    cost_micros: fc.oneof(
      wholeNumber,
      fc.integer({ min: 0, max: 99_999_999 }).map((cents) => BigInt(cents) * 10_000n),
    ),
    conversions: fraction,
    campaign_name: fc.constantFrom('Brand', 'Größe', 'Sale'),
  }),
  { maxLength: 8, selector: (row) => `${row.campaign_id} ${row.date}` },
);

/** What can disturb one load. */
const fault = fc.constantFrom(
  'none',
  'dies before planning',
  'dies after planning',
  'dies before confirming',
  'dies after confirming',
  'fails after applying',
  'breaks after applying',
  'breaks before applying',
  'storm',
  'gateway',
  'takes twice',
  'sleeper wakes',
  'compacts',
) satisfies fc.Arbitrary<string>;
type Fault = typeof fault extends fc.Arbitrary<infer Name> ? Name : never;

const deaths: Partial<Record<Fault, NonNullable<Target['ledger']['death']>>> = {
  'dies before planning': { at: 'plan', when: 'before' },
  'dies after planning': { at: 'plan', when: 'after' },
  'dies before confirming': { at: 'confirm', when: 'before' },
  'dies after confirming': { at: 'confirm', when: 'after' },
};
const faults: Partial<Record<Fault, [string, object]>> = {
  'fails after applying': ['fail_after_applying', { times: 4 }],
  'breaks after applying': ['fail_after_applying', { times: 1, drop: true }],
  'breaks before applying': ['drop_connection', { times: 1 }],
  storm: ['throttle', { times: 5 }],
  gateway: ['bad_gateway', { times: 2 }],
  'takes twice': ['repeat_events', { times: 1 }],
};

/** A worker that lost its run long ago resends everything that it had planned and sent. */
async function wakeSleeper(target: Target): Promise<void> {
  const unsent = new Set(target.ledger.unconfirmed.map(({ key, revision }) => `${key} ${revision}`));
  const rows = target.ledger.everPlanned.filter(({ key, revision }) => !unsent.has(`${key} ${revision}`));
  const events = rows.flatMap(({ planned }) => (planned as { events: object[] }).events);
  if (events.length === 0) return;
  const authorization = `Basic ${Buffer.from(`${credentials.username}:${credentials.secret}`).toString('base64')}`;
  const url = `${mixpanel.settings.baseUrl}/us/import?strict=1&project_id=${webProject}`;
  const answer = await fetch(url, { method: 'POST', headers: { authorization }, body: JSON.stringify(events) });
  expect(answer.status).toBe(200);
}

async function causeFault(target: Target, name: Fault): Promise<void> {
  const fault = faults[name];
  target.ledger.death = deaths[name] ?? null;
  if (fault) await mixpanel.fault(...fault);
  if (name === 'sleeper wakes') await wakeSleeper(target);
  if (name === 'compacts') await mixpanel.fault('compact', { projectId: webProject });
}

const rowsOf = (target: Target, state: Row[]): Row[] => state.map((row) => target.row(row));

/** Sums that reports show, computed by the sandbox and not by the product. */
async function expectShown(target: Target, rows: Row[]): Promise<void> {
  const { sums } = await mixpanel.totals(target.account);
  const sumOf = (name: string) => rows.reduce((sum, row) => sum + BigInt(row[name] as bigint), 0n);
  expect({ cost: sums['cost'] ?? '0', clicks: sums['clicks'] ?? '0', impressions: sums['impressions'] ?? '0' }).toEqual({
    cost: formatDecimal(fromMicros(sumOf('cost_micros'))),
    clicks: String(sumOf('clicks')),
    impressions: String(sumOf('impressions')),
  });
  const conversions = rows.reduce((sum, { conversions: value }) => sum + ((value as number | null) ?? 0), 0);
  expect(Number(sums['conversions'] ?? 0)).toBeCloseTo(conversions, 9);
}

const steps = fc.array(fc.record({ state: sourceState, fault, isNewWorker: fc.boolean() }), { minLength: 1, maxLength: 7 });

it('the source’s last state remains after restatements, removed rows, crashes at any point and duplicate deliveries', async () => {
  await fc.assert(
    fc.asyncProperty(steps, sourceState, async (history, last) => {
      const target = new Target();
      let destination = mixpanel.open();
      for (const step of history) {
        if (step.isNewWorker) destination = mixpanel.open();
        await causeFault(target, step.fault);
        await target.write(destination, rowsOf(target, step.state)).catch(() => undefined);
        await mixpanel.sandbox.clearFaults();
      }
      target.ledger.death = null;
      const rows = rowsOf(target, last);
      destination = mixpanel.open();
      await target.write(destination, rows);
      // Checked before any read-back: plan and confirmation must be sufficient without a repair.
      await expectShown(target, rows);
      expect(await target.totals(destination)).toEqual(sumRowsByDay(rows));
      expect(target.ledger.unconfirmed).toEqual([]);
    }),
    { numRuns: countOf(20, 60) },
  );
});

it('an undisturbed load is correct without a repair, and a second one sends nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sourceState, { minLength: 1, maxLength: 5 }), async (history) => {
      const target = new Target();
      for (const state of history) {
        const rows = rowsOf(target, state);
        const destination = mixpanel.open();
        await target.write(destination, rows);
        expect(await target.totals(destination)).toEqual(sumRowsByDay(rows));
        await expectShown(target, rows);
        const { rawEvents } = await mixpanel.totals(target.account);
        await target.write(mixpanel.open(), rows);
        expect((await mixpanel.totals(target.account)).rawEvents).toBe(rawEvents);
      }
    }),
    { numRuns: countOf(10, 25) },
  );
});

it('the next complete load repairs lost events, a lost ledger and a changed restatement mode', async () => {
  const fault = fc.constantFrom('loses some', 'loses all', 'ledger is gone', 'part of the ledger is gone', 'other way');
  const faults = fc.array(fc.record({ state: sourceState, fault }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(faults, sourceState, async (history, last) => {
      const target = new Target();
      let restatementMode: 'delta' | 'resend' = 'delta';
      for (const step of history) {
        if (step.fault === 'ledger is gone') target.ledger.stored.clear();
        if (step.fault === 'part of the ledger is gone')
          for (const [index, key] of [...target.ledger.stored.keys()].entries()) if (index % 2) target.ledger.stored.delete(key);
        if (step.fault === 'other way') restatementMode = restatementMode === 'delta' ? 'resend' : 'delta';
        if (step.fault.startsWith('loses')) await mixpanel.fault('drop_events', { everyNth: step.fault === 'loses all' ? 1 : 2 });
        const destination = mixpanel.open({ restatementMode });
        await target.load(destination, rowsOf(target, step.state)).catch(() => undefined);
        await mixpanel.sandbox.clearFaults();
      }
      const rows = rowsOf(target, last);
      expect(await target.load(mixpanel.open({ restatementMode }), rows)).toEqual(sumRowsByDay(rows));
      await expectShown(target, rows);
    }),
    { numRuns: countOf(10, 30) },
  );
});

it('late events never count twice, whichever restatements and crashed workers come before', async () => {
  const load = fc.record({ state: sourceState, isLate: fc.boolean(), isReadBack: fc.boolean() });
  const loads = fc.array(load, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(loads, sourceState, fc.constantFrom('delta', 'resend'), async (history, last, restatementMode) => {
      const target = new Target();
      for (const { state, isLate, isReadBack } of [...history, { state: last, isLate: false, isReadBack: true }]) {
        if (isLate) await mixpanel.fault('delay_events', { seconds: 3_600 });
        const rows = rowsOf(target, state);
        const destination = mixpanel.open({ restatementMode });
        if (isReadBack) {
          const totals = await target.load(destination, rows).catch((error: unknown) => error);
          if (!isLate) expect(totals).toEqual(sumRowsByDay(rows));
          else if (totals instanceof Error) expect(totals.name).toBe('NotVerifiedYet');
        } else await target.write(destination, rows);
        await mixpanel.sandbox.clearFaults();
        // The sums after all events have appeared.
        await expectShown(target, rows);
      }
      expect(target.ledger.unconfirmed).toEqual([]);
    }),
    { numRuns: countOf(8, 20) },
  );
});

it('amounts are exact to the micro in both directions', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (micros) => {
      expect(toMicros(fromNumber(toNumber(fromMicros(micros))))).toBe(micros);
      expect(parseDecimal(formatDecimal(fromMicros(micros)))).toBe(fromMicros(micros));
    }),
  );
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), (value) => {
      expect(toNumber(fromNumber(value))).toBeCloseTo(value, 11);
    }),
  );
});
