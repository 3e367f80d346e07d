import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Destination, Page, Stream } from '../../../src/connectors/kit/contract.js';
import { CorruptAnswer, RetryLater } from '../../../src/connectors/kit/errors.js';
import { hashText } from '../../../src/connectors/kit/rows/hashed-columns.js';
import { unifiedStream } from '../../../src/connectors/kit/unified.js';
import { paymentEventsStream } from '../../../src/connectors/stripe/events.js';
import { MixpanelSandbox, startMixpanel, Target } from './mixpanel-sandbox.js';
import { campaignDaily, sumRowsByDay, toPage } from '../rows.js';

let mixpanel: MixpanelSandbox;
let destination: Destination;
let target: Target;
beforeAll(async () => {
  mixpanel = await startMixpanel();
});
beforeEach(() => {
  target = new Target();
  destination = mixpanel.open();
});
afterEach(() => mixpanel.sandbox.clearFaults());
afterAll(() => mixpanel.sandbox.stop());

const shown = async () => (await mixpanel.totals(target.account)).sums;
const rawEvents = async () => (await mixpanel.totals(target.account)).raw;
const importsSince = async (before: number) => (await mixpanel.requests()).slice(before);

describe('a payment of which another customer ID is chosen', () => {
  const sale = (customer_id: string, amount = 500n) => ({
    ...{ account_id: target.account.externalId, date: '2026-01-01', event_id: 'txn_1', event: 'payment_received' },
    ...{ occurred_at: '2026-01-01T10:00:00.000Z', currency: 'EUR', amount_minor: amount, amount_micros: amount * 10_000n },
    ...{ fee_minor: 0n, charged_currency: 'EUR', charged_minor: amount, customer_id, stripe_customer_id: 'cus_1' },
    ...{ payment_id: 'ch_1', original_event_id: null, subscription_id: null },
  });
  const slice = () => target.slice({ stream: paymentEventsStream });
  const sumsByCustomer = async () => {
    const versions = new Map((await rawEvents()).map((event) => [event.insertId, event.properties]));
    const sums: Record<string, number> = {};
    for (const { customer_id, amount_minor } of versions.values())
      sums[String(customer_id)] = (sums[String(customer_id)] ?? 0) + Number(amount_minor);
    return sums;
  };

  it('moves its amount to the other customer, although the amount is equal', async () => {
    await target.load(destination, [sale('cus_1')], slice());
    await target.load(destination, [sale('a@shop.example')], slice());
    expect(await sumsByCustomer()).toEqual({ cus_1: 0, 'a@shop.example': 500 });
    const sent = (await rawEvents()).length;
    await target.load(destination, [sale('a@shop.example')], slice());
    expect(await rawEvents()).toHaveLength(sent);
  });

  it('moves its amount to the other customer also together with another amount', async () => {
    await target.load(destination, [sale('cus_1')], slice());
    await target.load(destination, [sale('a@shop.example', 700n)], slice());
    expect(await sumsByCustomer()).toEqual({ cus_1: 0, 'a@shop.example': 700 });
  });

  it('does not move its amount when the ID is hashed, nor when it is not hashed any more', async () => {
    const hash = hashText('cus_1');
    await target.load(destination, [sale('cus_1')], slice());
    target.context.hashed = ['customer_id'];
    await target.load(destination, [sale(hash)], slice());
    expect(await sumsByCustomer()).toEqual({ cus_1: 500 });
    await target.load(destination, [sale(hash, 700n)], slice());
    expect(await sumsByCustomer()).toEqual({ cus_1: 500, [hash]: 200 });
    target.context.hashed = [];
    await target.load(destination, [sale('cus_1', 700n)], slice());
    expect(await sumsByCustomer()).toEqual({ cus_1: 500, [hash]: 200 });
  });

  it('does not move its amount when the ID is excluded, nor when it is included again', async () => {
    const columns = paymentEventsStream.columns.filter(({ name }) => name !== 'customer_id');
    const excluded = target.slice({ stream: { ...paymentEventsStream, columns } });
    await target.load(destination, [sale('cus_1')], slice());
    await target.load(destination, [sale('cus_1', 700n)], excluded);
    expect(target.ledger.everPlanned.at(-1)?.planned).not.toHaveProperty('events.0.properties.customer_id');
    await target.load(destination, [sale('cus_1', 700n)], slice());
    expect(await sumsByCustomer()).toEqual({ cus_1: 500, undefined: 200 });
  });
});

describe('a row whose amounts are converted into another currency', () => {
  const stream = unifiedStream('google_ads', 'Because.');
  const empty = Object.fromEntries(stream.columns.map(({ name }) => [name, null]));
  const rowIn = (converted_currency: string, converted_cost_micros: bigint) => ({
    ...empty,
    ...{ platform: 'google_ads', account_id: target.account.externalId, date: '2026-01-01', campaign_id: '1', currency: 'EUR' },
    ...{ impressions: 100n, clicks: 10n, cost_micros: 100_000_000n, converted_currency, converted_cost_micros },
  });

  it('moves its amounts to the other currency', async () => {
    await target.load(destination, [rowIn('EUR', 100_000_000n)], target.slice({ stream }));
    await target.load(destination, [rowIn('USD', 110_000_000n)], target.slice({ stream }));
    const sums: Record<string, number> = {};
    for (const { properties } of await rawEvents()) {
      const currency = String(properties['converted_currency']);
      sums[currency] = (sums[currency] ?? 0) + Number(properties['converted_cost']);
    }
    expect(sums).toEqual({ EUR: 0, USD: 110 });
  });
});

describe('atomic sends', () => {
  it('sends nothing when the pages fail, and rethrows the error unchanged', async () => {
    const failure = new CorruptAnswer({ code: 'test.truncated', message: 'truncated', action: 'none' });
    const failing = (async function* () {
      yield toPage([target.row()]);
      throw failure;
    })();
    await expect(target.write(destination, failing)).rejects.toBe(failure);
    expect(await rawEvents()).toEqual([]);
    expect(target.ledger.stored.size).toBe(0);
  });

  it('sends nothing when the caller aborts', async () => {
    const controller = new AbortController();
    const stopping = (async function* (): AsyncGenerator<Page> {
      yield toPage([target.row()]);
      controller.abort(new Error('stopped by the test'));
    })();
    const context = { ...target.context, signal: controller.signal };
    const fence = { runId: 'run', leaseEpoch: 1n };
    await expect(destination.write(context, target.slice(), stopping, fence)).rejects.toThrow('stopped by the test');
    expect(await rawEvents()).toEqual([]);
  });

  it('splits a slice with too many rows, and accepts a single day of any size', async () => {
    const small = mixpanel.open({}, { maximumSliceRows: 2 });
    const rows = [1n, 2n, 3n].map((campaign_id) => target.row({ campaign_id }));
    await expect(target.write(small, rows)).rejects.toMatchObject({ name: 'SplitSlice', code: 'mixpanel.slice_too_large' });
    expect(await rawEvents()).toEqual([]);
    expect(target.ledger.stored.size).toBe(0);
    expect(await target.load(small, rows, target.slice({ to: '2026-01-01' }))).toEqual(sumRowsByDay(rows));
  });

  it('rejects a slice with a duplicate row', async () => {
    await expect(target.write(destination, [target.row(), target.row()])).rejects.toMatchObject({
      name: 'CorruptAnswer',
      code: 'mixpanel.row_repeated',
    });
    expect(await rawEvents()).toEqual([]);
  });

  it.each([
    ['before the plan is stored', { at: 'plan', when: 'before' }],
    ['between plan and sending', { at: 'plan', when: 'after' }],
    ['between sending and confirming', { at: 'confirm', when: 'before' }],
    ['after confirming', { at: 'confirm', when: 'after' }],
  ] as const)('duplicates nothing when the worker crashes %s', async (_, death) => {
    await target.load(destination, [target.row(), target.row({ campaign_id: 2n })]);
    target.ledger.death = death;
    const restated = [target.row({ clicks: 12n }), target.row({ campaign_id: 3n })];
    await expect(target.load(destination, restated)).rejects.toThrow('the worker crashed');
    expect(await target.load(mixpanel.open(), restated)).toEqual(sumRowsByDay(restated));
    expect(await shown()).toMatchObject({ clicks: '22', impressions: '200', cost: '2.46' });
    expect(target.ledger.unconfirmed).toEqual([]);
  });

  it.each([{ times: 1 }, { times: 1, drop: true }])(
    'duplicates nothing when Mixpanel fails after accepting the events: %j',
    async (fault) => {
      await mixpanel.fault('fail_after_applying', fault);
      await target.load(destination, [target.row()]).catch((error: unknown) => expect(error).toBeInstanceOf(RetryLater));
      expect(await target.load(destination, [target.row()])).toEqual(sumRowsByDay([target.row()]));
      const { events, sums } = await mixpanel.totals(target.account);
      expect({ events, clicks: sums['clicks'] }).toEqual({ events: 1, clicks: '10' });
    },
  );

  it('sends the stored plan although the source has changed since', async () => {
    target.ledger.death = { at: 'plan', when: 'after' };
    await expect(target.write(destination, [target.row()])).rejects.toThrow('the worker crashed');
    await target.load(mixpanel.open(), [target.row({ clicks: 15n })]);
    const sent = (await rawEvents()).map(({ insertId, properties }) => [insertId.split('-')[1], properties['clicks']]);
    expect(sent).toEqual([
      ['1', 10],
      ['2', 5],
    ]);
  });

  it('counts events of an outdated worker once', async () => {
    await target.load(destination, [target.row()]);
    await target.load(destination, [target.row({ clicks: 4n })]);
    await target.load(destination, []);
    const events = target.ledger.everPlanned.flatMap(({ planned }) => (planned as { events: object[] }).events);
    const authorization = `Basic ${Buffer.from('loader.f5a1c2.mp-service-account:sandbox-loader-secret').toString('base64')}`;
    const url = `${mixpanel.settings.baseUrl}/us/import?strict=1&project_id=3100001`;
    await fetch(url, { method: 'POST', headers: { authorization }, body: JSON.stringify(events.slice(0, 2)) });
    expect((await mixpanel.totals(target.account)).rawEvents).toBe(5);
    expect(await shown()).toMatchObject({ clicks: '0', cost: '0' });
    expect(await target.totals(mixpanel.open())).toEqual([]);
  });
});

describe('an event', () => {
  it('has the documented properties, no user, no location, and noon of the day', async () => {
    await target.write(destination, [target.row({ conversions: null })]);
    const [event] = await rawEvents();
    expect(event).toMatchObject({ event: 'Ad Data', distinctId: '', time: Date.parse('2026-01-01T12:00:00Z') });
    expect(event?.properties).toEqual({
      source: 'Google',
      utm_source: 'google',
      utm_medium: 'cpc',
      utm_campaign: 'Brand',
      campaign_id: '1',
      campaign_name: 'Brand',
      campaign_status: 'ENABLED',
      channel_type: 'SEARCH',
      device: 'MOBILE',
      network: 'SEARCH',
      account_id: target.account.externalId,
      account_name: 'Northwind DE',
      currency: 'EUR',
      date: '2026-01-01',
      cost: 1.23,
      clicks: 10,
      impressions: 100,
      conversions_value: 0.1,
      all_conversions: 2,
      view_through_conversions: 0,
      stream: 'campaign_daily',
      level: 'campaign',
      loaded_by: 'Tributary',
      revision: 1,
      row_present: true,
    });
  });

  it('has a valid id made of stream, key and revision, without names or numbers', async () => {
    await target.write(destination, [target.row()]);
    await target.write(destination, [target.row({ clicks: 11n, campaign_name: 'New name' })]);
    const [first, second] = (await rawEvents()).map(({ insertId }) => insertId);
    expect(first).toMatch(/^[0-9a-f]{28}-1$/);
    expect(second).toBe(first?.replace(/-1$/, '-2'));
  });

  it('uses the event name of the settings', async () => {
    destination = mixpanel.open({ eventName: 'Spend' });
    await target.load(destination, [target.row()]);
    expect((await rawEvents())[0]?.event).toBe('Spend');
    expect(destination.tableName(campaignDaily)).toBe('Spend');
  });

  it('contains platform, ad and keyword', async () => {
    const text = (name: string) => ({ name, type: 'text' as const, description: 'Any text.' });
    const stream: Stream = {
      ...campaignDaily,
      name: 'ads',
      table: 'ad_performance_daily',
      scope: { column: 'platform', value: 'meta_ads' },
      columns: [...campaignDaily.columns, text('platform'), text('ad_name'), text('search_term')],
    };
    const slice = target.slice({ stream });
    const row = target.row({ platform: 'meta_ads', ad_name: 'Picture', search_term: 'shoes' });
    expect(await target.load(destination, [row], slice)).toEqual(sumRowsByDay([row]));
    expect((await rawEvents())[0]?.properties).toMatchObject({
      source: 'Facebook',
      utm_source: 'facebook',
      utm_content: 'Picture',
      utm_term: 'shoes',
    });
  });

  it.each(['Größe 日本 🚀', `quotes ' " \\ `, 'tab\there\nline', 'x'.repeat(300), ''])(
    'preserves the name %j within Mixpanel’s limit',
    async (name) => {
      await target.load(destination, [target.row({ campaign_name: name })]);
      expect((await rawEvents())[0]?.properties['campaign_name']).toBe(name.slice(0, 255));
    },
  );
});

describe('a restated row', () => {
  it('sends nothing when nothing changed', async () => {
    await target.load(destination, [target.row()]);
    const before = (await mixpanel.requests()).length;
    await target.load(destination, [target.row({ campaign_status: 'PAUSED' })]);
    expect(await importsSince(before)).toEqual([]);
  });

  it('sends the exact difference, negative or positive', async () => {
    await target.load(destination, [target.row({ cost_micros: 100_000n, conversions: 0.1 })]);
    await target.load(destination, [target.row({ cost_micros: 300_000n, clicks: 9n, conversions: 0.3 })]);
    expect((await rawEvents())[1]?.properties).toMatchObject({ cost: 0.2, clicks: -1, impressions: 0, conversions: 0.2 });
    expect(await shown()).toMatchObject({ cost: '0.3', clicks: '9', conversions: '0.3' });
  });

  it('sends the negative sum when removed, and everything when it is back', async () => {
    await target.load(destination, [target.row(), target.row({ campaign_id: 2n })]);
    expect(await target.load(destination, [target.row()])).toEqual(sumRowsByDay([target.row()]));
    expect((await rawEvents()).at(-1)?.properties).toMatchObject({
      campaign_id: '2',
      campaign_name: 'Brand',
      cost: -1.23,
      clicks: -10,
      row_present: false,
    });
    await target.load(destination, []);
    expect(await shown()).toMatchObject({ cost: '0', clicks: '0', conversions: '0' });
    const rows = [target.row({ clicks: 1n })];
    expect(await target.load(destination, rows)).toEqual(sumRowsByDay(rows));
  });

  it('counts as a row even if all numbers are zero', async () => {
    const zero = target.row({ cost_micros: 0n, clicks: 0n, impressions: 0n });
    expect(await target.load(destination, [zero])).toEqual([
      { day: '2026-01-01', rows: 1, costMicros: 0n, clicks: 0n, impressions: 0n },
    ]);
    expect(await target.load(destination, [])).toEqual([]);
  });

  it.each([999_999_999_999_999n, 123_456_789_012_345n, -1n, 2_000_000_000_000_000_000n])(
    'preserves %s micros exactly',
    async (micros) => {
      const row = target.row({ cost_micros: micros });
      expect(await target.load(destination, [row])).toEqual(sumRowsByDay([row]));
    },
  );

  it('is rejected before sending if Mixpanel cannot store its amount exactly', async () => {
    const rows = [target.row(), target.row({ campaign_id: 2n, cost_micros: 90_071_992_547_409_931n })];
    await expect(target.write(destination, rows)).rejects.toMatchObject({
      name: 'RowRejected',
      code: 'mixpanel.amount_too_large',
    });
    expect(await rawEvents()).toEqual([]);
  });
});

describe('today', () => {
  const at = (time: string) => mixpanel.open({}, { now: () => new Date(time) });
  const slice = () => target.slice({ from: '2026-03-01', to: '2026-03-02' });
  const rowOf = (clicks: bigint) => target.row({ date: '2026-03-02', clicks });

  it('has its send time before noon, and noon afterwards', async () => {
    // 03:00 in Tokyo on March 2. Noon UTC is 18 hours ahead, which Mixpanel rejects.
    expect(await target.load(at('2026-03-01T18:00:00Z'), [rowOf(3n)], slice())).toEqual(sumRowsByDay([rowOf(3n)]));
    await target.load(at('2026-03-02T11:00:00Z'), [rowOf(5n)], slice());
    expect((await rawEvents()).map(({ time }) => new Date(time).toISOString().slice(0, 16))).toEqual([
      '2026-03-01T17:55',
      '2026-03-01T17:55',
    ]);
    expect(await target.load(at('2026-03-02T13:00:00Z'), [rowOf(5n)], slice())).toEqual(sumRowsByDay([rowOf(5n)]));
    const [, , back, replacement] = await rawEvents();
    expect(back).toMatchObject({ properties: { clicks: -5 } });
    expect(replacement).toMatchObject({ time: Date.parse('2026-03-02T12:00:00Z'), properties: { clicks: 5, row_present: true } });
    const before = (await mixpanel.requests()).length;
    await target.load(at('2026-03-02T14:00:00Z'), [rowOf(5n)], slice());
    expect(await importsSince(before)).toEqual([]);
  });

  it('can be removed before and after noon', async () => {
    await target.load(at('2026-03-01T18:00:00Z'), [rowOf(3n)], slice());
    await target.load(at('2026-03-01T19:00:00Z'), [], slice());
    expect(await shown()).toMatchObject({ clicks: '0' });
    await target.load(at('2026-03-01T20:00:00Z'), [rowOf(4n)], slice());
    expect(await target.load(at('2026-03-03T20:00:00Z'), [], slice())).toEqual([]);
    expect(await shown()).toMatchObject({ clicks: '0' });
  });
});

describe('resend mode', () => {
  beforeEach(() => {
    destination = mixpanel.open({ restatementMode: 'resend' });
  });

  it('has a constant id and time, and new values', async () => {
    await target.load(destination, [target.row()]);
    const restated = [target.row({ clicks: 12n })];
    expect(await target.load(destination, restated)).toEqual(sumRowsByDay(restated));
    const events = await rawEvents();
    expect(new Set(events.map(({ insertId, time }) => `${insertId} ${time}`)).size).toBe(1);
    expect(events.map(({ properties }) => properties['clicks'])).toEqual([10, 12]);
  });

  it('is zero when the row was removed', async () => {
    await target.load(destination, [target.row(), target.row({ campaign_id: 2n })]);
    expect(await target.load(destination, [target.row()])).toEqual(sumRowsByDay([target.row()]));
    expect(await shown()).toMatchObject({ clicks: '10', cost: '1.23', conversions: '1.5' });
  });

  it('sends nothing when nothing changed', async () => {
    await target.load(destination, [target.row()]);
    const before = (await mixpanel.requests()).length;
    await target.load(destination, [target.row()]);
    expect(await importsSince(before)).toEqual([]);
  });
});
