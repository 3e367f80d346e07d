import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConversionSource, SourceCursor } from '../../../src/connectors/kit/conversion-source.js';
import { addDays } from '../../../src/connectors/kit/days.js';
import { type DayLimits, usualDayLimits } from '../../../src/connectors/mixpanel/source/day-events.js';
import { mixpanelConversionSource, mixpanelSource } from '../../../src/connectors/mixpanel/source/index.js';
import { sourceSettingsSchema } from '../../../src/connectors/mixpanel/source/settings.js';
import { settingsSchema } from '../../../src/connectors/mixpanel/settings.js';
import { aContext } from '../context.js';
import { countOf } from '../../counts.js';
import { MixpanelSandbox, startMixpanel } from '../mixpanel/mixpanel-sandbox.js';
import { measureMemory, readRecords } from './source-pages.js';

const shop = { projectId: '3100004', residency: 'EU' };
/** Created before 2023, in the zone of Los Angeles. */
const oldShop = { projectId: '3100005', residency: 'US' };
const credentials = { username: 'shop.77c0de.mp-service-account', secret: 'sandbox-shop-secret' };
const hour = 3_600_000;
const day = 24 * hour;
const yesterday = () => new Date(Date.now() - day);
/** Of yesterday, so that no test depends on the time of day. */
const noon = Date.parse(`${yesterday().toISOString().slice(0, 10)}T12:00:00Z`);

let mixpanel: MixpanelSandbox;
/** Each test has its own name of events. */
let eventName: string;
let number = 0;

beforeAll(async () => {
  mixpanel = await startMixpanel();
});
beforeEach(() => {
  eventName = `Purchase ${++number}`;
});
afterEach(async () => {
  await mixpanel.sandbox.clearFaults();
  await mixpanel.liftLimits();
  await mixpanel.admin('clock', { offsetDays: 0 });
});
afterAll(() => mixpanel.sandbox.stop());

interface Given {
  project?: object;
  settings?: object;
  account?: typeof credentials;
  now?: () => Date;
  limits?: DayLimits;
}

function sourceOf({
  project = shop,
  settings,
  account = credentials,
  now,
  limits = usualDayLimits,
}: Given = {}): ConversionSource {
  const operator = { ...mixpanel.settings, ...(now && { now }) };
  const parsed = sourceSettingsSchema.parse({ eventName, ...settings });
  return mixpanelSource(operator, parsed, settingsSchema.parse(project), account, limits);
}

interface PutEvent {
  id: string;
  time?: number;
  receivedAt?: number;
  [property: string]: unknown;
}

const put = (events: PutEvent[], { projectId } = shop) =>
  mixpanel.sandbox.admin('mixpanel/events', {
    projectId,
    events: events.map(({ id, time = noon, receivedAt = time + 2_000, ...properties }) => ({
      ...{ event: eventName, receivedAt, properties: { time, $insert_id: id, distinct_id: 'user', ...properties } },
    })),
  });

const someEvents = (count: number, time = noon): PutEvent[] =>
  Array.from({ length: count }, (_, index) => ({ id: `order-${index}`, time, amount: index }));

const read = (given: Given = {}, since = yesterday(), cursor: SourceCursor | null = null) =>
  readRecords(sourceOf(given), { since, cursor });
const idsOf = (records: Record<string, unknown>[]) => records.map((record) => record['properties.$insert_id']);
const exportsOf = async () =>
  (await mixpanel.requests('export')).filter(({ query }) => query['event'] === JSON.stringify([eventName]));

describe('an incomplete export', () => {
  const faults: [string, string, object][] = [
    ['is cut in its last line', 'truncate', { lastLine: true }],
    ['is cut in the middle of a line', 'truncate', {}],
    ['ends early with a line of text', 'terminate_early', {}],
    ['ends early with a line of JSON', 'terminate_early', { line: '{"error":"terminated early"}' }],
    ['has records over two lines', 'split_record', {}],
    ['has texts over two lines', 'split_record', { inText: true }],
  ];

  it.each(faults)('that %s is never accepted: no record of its day, no cursor after it', async (_name, fault, parameters) => {
    await put(someEvents(20));
    await mixpanel.fault(fault, { ...parameters, times: 100, endpoint: 'export' });
    const pages: unknown[] = [];
    const reading = async () => {
      for await (const page of sourceOf().read(aContext(), null, yesterday())) pages.push(page);
    };
    await expect(reading()).rejects.toMatchObject({ name: 'CorruptAnswer', code: 'mixpanel.export_incomplete' });
    expect(pages).toEqual([]);
    expect(await exportsOf()).toHaveLength(3);
    await expect(sourceOf().sample(aContext(), 5)).rejects.toMatchObject({ name: 'CorruptAnswer' });
  });

  it.each(faults)('that %s is read again, and every event is read once', async (_name, fault, parameters) => {
    await put(someEvents(20));
    await mixpanel.fault(fault, { ...parameters, times: 1, endpoint: 'export' });
    const { records, cursor } = await read({}, yesterday());
    expect(new Set(idsOf(records)).size).toBe(20);
    expect(records).toHaveLength(20);
    expect(cursor).toMatchObject({ nextDay: null });
  });

  it('whose connection breaks is retried later', async () => {
    await put(someEvents(20));
    await mixpanel.fault('truncate', { abort: true, times: 1, endpoint: 'export' });
    await expect(read({}, yesterday())).rejects.toMatchObject({ name: 'RetryLater', code: 'http.unreachable' });
  });
});

describe('a rejection', () => {
  it('of the hourly limit is retried later, and the days before it are kept', async () => {
    await put(someEvents(3, Date.now() - 5 * day));
    await mixpanel.admin('mixpanel/limits', { exportsPerHour: (await mixpanel.requests('export')).length + 2 });
    const result = { cursor: null as SourceCursor | null, records: 0 };
    const reading = async () => {
      for await (const page of sourceOf().read(aContext(), null, new Date(Date.now() - 5 * day))) {
        result.cursor = page.cursor ?? result.cursor;
        result.records += page.records.length;
      }
    };
    await expect(reading()).rejects.toMatchObject({
      ...{ name: 'RetryLater', failureClass: 'quota', code: 'mixpanel.export_quota', retryAfterSeconds: 600 },
    });
    expect(result.records).toBe(3);
    await mixpanel.liftLimits();
    const rest = await read({}, yesterday(), result.cursor);
    expect(rest.records).toEqual([]);
    expect(rest.cursor).toMatchObject({ nextDay: null });
    const days = (await exportsOf()).filter(({ status }) => status === 200).map(({ query }) => query['from_date']);
    expect(new Set(days).size).toBe(days.length);
  });

  it('of a missing role names the role', async () => {
    const accountOfOthers = { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' };
    await expect(read({ account: accountOfOthers })).rejects.toMatchObject({
      ...{ name: 'FixSettings', failureClass: 'permission', code: 'mixpanel.export_not_allowed' },
      action: expect.stringContaining('Analyst'),
    });
  });

  it.each([
    ['wrong secret', { account: { ...credentials, secret: 'wrong' } }, { name: 'ReconnectNeeded' }],
    [
      'other region',
      { project: { ...shop, residency: 'US' } },
      { name: 'FixSettings', code: 'mixpanel.invalid_project_id_for_cluster' },
    ],
  ])('of a %s has a reason', async (_name, given, error) => {
    await expect(read(given)).rejects.toMatchObject(error);
    await expect(sourceOf(given).sample(aContext(), 3)).rejects.toMatchObject(error);
  });

  it('is detected if the other region returns an empty export', async () => {
    await mixpanel.fault('wrong_region_empty', { times: 100 });
    const given = { project: { ...shop, residency: 'US' } };
    const error = { name: 'FixSettings', code: 'mixpanel.invalid_project_id_for_cluster' };
    await expect(read(given)).rejects.toMatchObject(error);
    await expect(sourceOf(given).sample(aContext(), 3)).rejects.toMatchObject(error);
  });

  it('of too many events names the limit', async () => {
    await put(someEvents(30));
    await expect(read({ limits: { events: 29, bytes: 1_000_000 } })).rejects.toMatchObject({
      ...{ name: 'FixSettings', code: 'mixpanel.too_many_events', message: expect.stringContaining('limit of 29') },
    });
  });
});

describe('duplicates', () => {
  const time = noon;

  it('are removed by name, time and id, and the version that was processed last is kept', async () => {
    await put([
      { id: 'same', time, amount: 1, receivedAt: time + 1_000 },
      { id: 'same', time, amount: 3, receivedAt: time + 9_000 },
      { id: 'same', time, amount: 2, receivedAt: time + 5_000 },
      { id: 'same', time: time + 1_000, amount: 4 },
      { id: 'other', time, amount: 5 },
    ]);
    const { records } = await read();
    expect(records.map((record) => record['properties.amount'])).toEqual([3, 4, 5]);
  });

  it('are found although their user was merged into another one in the meantime', async () => {
    await put([
      { id: 'same', time, distinct_id: '$device:1' },
      { id: 'same', time, distinct_id: 'user-1', receivedAt: time + 9_000 },
    ]);
    expect((await read()).records).toHaveLength(1);
    await mixpanel.fault('merge_identities', { projectId: shop.projectId, from: '$device:1', into: 'user-1' });
    expect((await read()).records).toMatchObject([{ 'properties.distinct_id': 'user-1' }]);
  });

  it('that compaction removes between two reads do not make the second one fail', async () => {
    await put([
      { id: 'same', time },
      { id: 'same', time: time + 1_000 },
    ]);
    const first = await read();
    await mixpanel.fault('compact', { projectId: shop.projectId });
    const second = await read({}, yesterday(), first.cursor);
    expect([first.records.length, second.records.length]).toEqual([2, 1]);
  });
});

describe('late events', () => {
  it('are read when they arrive within the overlap, and not after it', async () => {
    const time = Date.now() - 2 * day;
    const arrives = Date.now() + 4 * day;
    await put([
      { id: 'on-time', time },
      { id: 'late', time, receivedAt: arrives },
    ]);
    const first = await read({}, new Date(time));
    expect(idsOf(first.records)).toEqual(['on-time']);
    await mixpanel.admin('clock', { offsetDays: 5 });
    const later = () => new Date(Date.now() + 5 * day);
    expect(idsOf((await read({ now: later }, new Date(time), first.cursor)).records)).toContain('late');
    const short = await read({ now: later, settings: { overlapDays: 1 } }, new Date(time), first.cursor);
    expect(idsOf(short.records)).not.toContain('late');
  });

  it('are not read if they happened before the day from which events are read', async () => {
    await put([{ id: 'earlier', time: Date.now() - 3 * day }]);
    const first = await read({}, new Date());
    expect(first.records).toEqual([]);
    expect((await read({}, new Date(), first.cursor)).records).toEqual([]);
  });

  it('of a read that was interrupted for a week are read by the next complete one', async () => {
    const time = Date.now() - day;
    const source = sourceOf();
    let cursor: SourceCursor | null = null;
    for await (const page of source.read(aContext(), null, new Date(time - 2 * day))) {
      cursor = page.cursor ?? cursor;
      if (cursor?.['nextDay'] === addDays(new Date(time).toISOString().slice(0, 10), 1)) break;
    }
    await put([{ id: 'late', time, receivedAt: Date.now() + 2 * day }]);
    await mixpanel.admin('clock', { offsetDays: 9 });
    const now = () => new Date(Date.now() + 9 * day);
    const resumed = await read({ now }, yesterday(), cursor);
    expect(resumed.records).toEqual([]);
    expect(idsOf((await read({ now }, yesterday(), resumed.cursor)).records)).toEqual(['late']);
  });
});

describe('the clock of a project', () => {
  it('from before 2023 is that of its zone: times are converted to UTC', async () => {
    const time = noon;
    await put([{ id: 'one', time }], oldShop);
    const zoned = await read({ project: oldShop, settings: { timeZone: 'America/Los_Angeles' } });
    expect(zoned.records).toMatchObject([{ 'properties.time': new Date(time).toISOString() }]);
    await put([{ id: 'two', time }]);
    expect((await read()).records).toMatchObject([{ 'properties.time': new Date(time).toISOString() }]);
  });

  it.each([
    ['UTC', shop, null],
    ['its zone', oldShop, 'America/Los_Angeles'],
  ])('in %s decides which day is the last: days after it are never requested', async (_name, project, timeZone) => {
    const given = { project, settings: { timeZone } };
    await read(given, new Date(Date.now() - 3 * day));
    await sourceOf(given).sample(aContext(), 10);
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: timeZone ?? 'UTC' });
    const requests = await exportsOf();
    expect(requests.every(({ status }) => status === 200)).toBe(true);
    expect(
      requests
        .map(({ query }) => query['to_date'])
        .sort()
        .at(-1),
    ).toBe(today);
  });

  it('that is wrong in the settings is an error if Mixpanel rejects the day', async () => {
    const given = { now: () => new Date(Date.now() + day) };
    await expect(read(given)).rejects.toMatchObject({ name: 'FixSettings', code: 'mixpanel.project_clock' });
  });

  it('that is a little behind ours ends the read at the day before', async () => {
    const midnight = Date.parse(addDays(new Date().toISOString().slice(0, 10), 1));
    const { cursor } = await read({ now: () => new Date(midnight + 60_000) });
    expect(cursor).toMatchObject({ nextDay: null });
  });

  it('must be a time zone', () => {
    expect(sourceSettingsSchema.safeParse({ eventName, timeZone: 'Mars/Olympus' }).success).toBe(false);
  });
});

it('lines end with a line feed only: other separators are part of texts', async () => {
  const note = 'first\u2028second\u2029third\u0085fourth\r';
  await put([{ id: 'one', note, nested: { plan: { name: 'Pro' } }, list: [1, 'a'] }]);
  expect((await read()).records).toMatchObject([
    { 'properties.note': note, 'properties.nested.plan.name': 'Pro', 'properties.list': '[1,"a"]', event: eventName },
  ]);
});

it('a read without events has a cursor, so that its days are not read again forever', async () => {
  const { records, cursor } = await read({}, new Date(Date.now() - 30 * day));
  expect(records).toEqual([]);
  const before = (await exportsOf()).length;
  await read({}, new Date(Date.now() - 20 * day), cursor);
  expect((await exportsOf()).length - before).toBe(8);
});

it('a sample has the newest events, all fields, and shows whether there are more', async () => {
  await put([
    { id: 'old', time: Date.now() - 20 * day, plan: 'x' },
    { id: 'a', time: noon - 2 * hour, amount: 1 },
    { id: 'b', time: noon - hour, amount: 1.5 },
    { id: 'c', time: noon, currency: 'EUR' },
  ]);
  const { records, fields, hasMore } = await sourceOf().sample(aContext(), 2);
  expect([idsOf(records), hasMore]).toEqual([['c', 'b'], true]);
  expect(fields).toEqual(expect.arrayContaining(['event', 'properties.time', 'properties.amount', 'properties.currency']));
});

it('a sample of a rare event goes back a month', async () => {
  await put([{ id: 'old', time: Date.now() - 20 * day }]);
  expect(idsOf((await sourceOf().sample(aContext(), 2)).records)).toEqual(['old']);
  expect((await exportsOf()).length).toBe(4);
});

const BATCHES = countOf(8, 20);

it(`reads ${BATCHES * 10_000} events of a day with bounded memory`, async () => {
  const time = noon;
  const filler = 'a description of the order that every shop sends with it, '.repeat(4);
  for (let batch = 0; batch < BATCHES; batch++)
    await put(
      Array.from({ length: 10_000 }, (_, index) => ({
        id: `order-${batch * 10_000 + index}`,
        time: time + index,
        email: `${index}@e.com`,
        filler,
      })),
    );
  const { records, peak } = await measureMemory(sourceOf().read(aContext(), null, yesterday()));
  expect(records).toBe(BATCHES * 10_000);
  // The export has 4.5 MB for each batch.
  expect(peak).toBeLessThan(Math.min(64, BATCHES * 4) * 1024 * 1024);
});

it('is opened with the settings and the service account of a destination', async () => {
  await put(someEvents(2));
  const connector = mixpanelConversionSource(mixpanel.settings);
  const source = connector.open({ eventName }, { ...shop, eventName: 'Ad Data' }, { authMode: 'service_account', credentials });
  expect((await readRecords(source, { since: yesterday() })).records).toHaveLength(2);
  expect(connector.defaultFields).toEqual({ id: 'properties.$insert_id', occurredAt: 'properties.time' });
});
