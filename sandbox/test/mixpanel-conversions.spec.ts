import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  anEvent,
  europeProject,
  oldShopProject,
  shop,
  shopProject,
  startMixpanel,
  type Answer,
  type JsonObject,
} from './mixpanel.ts';

let mixpanel: Awaited<ReturnType<typeof startMixpanel>>;
beforeEach(async () => {
  mixpanel = await startMixpanel();
});
afterEach(() => mixpanel.close());

const dayMs = 86_400_000;
const day = (offset: number): string => new Date(Date.now() + offset * dayMs).toISOString().slice(0, 10);
const events = Array.from({ length: 10 }, (_, index) => anEvent({ $insert_id: `row-${index + 1}` }));

type ExportedRow = { event: string; properties: JsonObject };

const exported = (parameters: Record<string, string> = {}, region = 'eu', from = mixpanel): Promise<Answer> =>
  from.export({ project_id: shopProject, from_date: day(-50), to_date: day(0), ...parameters }, region, shop);
const rowsOf = ({ text }: Answer): ExportedRow[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ExportedRow);
const rows = async (parameters: Record<string, string> = {}, region = 'eu'): Promise<ExportedRow[]> =>
  rowsOf(await exported(parameters, region));
const put = (list: object[], projectId = shopProject): Promise<Answer> =>
  mixpanel.admin('mixpanel/events', { projectId, events: list });
const bought = (insertId: string, properties: JsonObject = {}, more: object = {}) => ({
  ...{ event: 'Purchase', properties: { time: Date.parse(`${day(-1)}T12:00:00Z`), $insert_id: insertId, ...properties } },
  ...more,
});
const only = (insertId: string) => ({ where: `properties["$insert_id"] == "${insertId}"` });

describe('an export of days after today', () => {
  it('is rejected in plain text', async () => {
    const { status, text, body } = await exported({ to_date: day(1) });
    expect([status, text, body]).toEqual([400, 'to_date cannot be later than today', {}]);
    expect((await exported({ to_date: day(0) })).status).toBe(200);
  });

  it('is rejected by the clock of the project: its own zone if it was created before 2023', async () => {
    const losAngeles = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(Date.now());
    const until = (to_date: string) => exported({ project_id: oldShopProject, to_date }, 'us');
    expect((await until(losAngeles)).status).toBe(200);
    const tomorrow = new Date(Date.parse(losAngeles) + dayMs).toISOString().slice(0, 10);
    expect((await until(tomorrow)).text).toBe('to_date cannot be later than today');
  });
});

describe('an export that is damaged with status 200', () => {
  const damaged = async (fault: string, parameters: object = {}): Promise<string[]> => {
    await mixpanel.import(events);
    await mixpanel.fault(fault, { endpoint: 'export', ...parameters });
    const { status, text } = await mixpanel.export();
    expect(status).toBe(200);
    return text.split('\n');
  };
  const isJson = (line: string): boolean => {
    try {
      return typeof JSON.parse(line) === 'object';
    } catch {
      return false;
    }
  };

  it.each([
    [{}, 'export terminated early'],
    [{ line: 'terminated early' }, 'terminated early'],
  ])('ends early with a line of text (%j)', async (parameters, line) => {
    const lines = await damaged('terminate_early', parameters);
    expect(lines.slice(-2)).toEqual([line, '']);
    expect(lines.slice(0, -2).every(isJson)).toBe(true);
    expect(lines.length).toBeLessThan(10);
  });

  it('is cut in its last line', async () => {
    const lines = await damaged('truncate', { lastLine: true });
    expect(lines.map(isJson)).toEqual([...Array<boolean>(9).fill(true), false]);
  });

  it.each([{}, { inText: true }])('has records over two lines (%j), which are complete when joined', async (parameters) => {
    const lines = (await damaged('split_record', parameters)).slice(0, -1);
    expect(lines.map(isJson)).toEqual(Array<boolean[]>(5).fill([false, false, true]).flat());
    expect(isJson(`${lines[0]}${lines[1]}`)).toBe(true);
    expect(isJson(`${lines[0]}\n${lines[1]}`)).toBe(!('inText' in parameters));
  });
});

it('an export of another region is rejected, or empty with a fault', async () => {
  expect((await exported({}, 'us')).body.error).toContain('invalid project id for cluster');
  await mixpanel.fault('wrong_region_empty', { endpoint: 'export' });
  const { status, text } = await exported({}, 'us');
  expect([status, text]).toEqual([200, '']);
  expect((await rows()).length).toBeGreaterThan(0);
});

describe('a filter on the time of processing', () => {
  it.each([
    'properties["mp_processing_time_ms"] >= SINCE',
    'NOT number(properties["mp_processing_time_ms"]) < SINCE',
    '(properties["mp_processing_time_ms"] < 0) OR (properties["mp_processing_time_ms"] >= SINCE)',
  ])('finds late events: %s', async (where) => {
    const since = Date.now() - dayMs;
    await put([bought('late', { time: since - 6 * dayMs }), bought('old', {}, { receivedAt: since - dayMs })]);
    const found = await rows({ where: where.replaceAll('SINCE', String(since)) });
    const ids = found.map(({ properties }) => properties.$insert_id);
    expect(ids).toContain('late');
    expect(ids).not.toContain('old');
    expect(found.every(({ properties }) => Number(properties.mp_processing_time_ms) >= since)).toBe(true);
  });
});

describe('an event that arrives late', () => {
  it('is in the export of its own day once the clock has reached its arrival', async () => {
    const time = Date.now() - dayMs;
    await put([bought('late', { time }, { receivedAt: Date.now() + 5 * dayMs })]);
    const onItsDay = () => rows({ ...only('late'), from_date: day(-1), to_date: day(-1) });
    expect(await onItsDay()).toEqual([]);
    await mixpanel.admin('clock', { offsetDays: 6 });
    expect(await onItsDay()).toMatchObject([{ properties: { time } }]);
  });
});

describe('merged identities', () => {
  const merge = (from: string, into: string) => mixpanel.fault('merge_identities', { projectId: shopProject, from, into });
  const idOf = async (insertId: string) => (await rows(only(insertId))).map(({ properties }) => properties.distinct_id);

  it('return the same event with another user', async () => {
    await put([bought('p', { distinct_id: '$device:1' })]);
    const [before] = await rows(only('p'));
    await merge('$device:1', 'user-1');
    const [after] = await rows(only('p'));
    expect(before!.properties.distinct_id).toBe('$device:1');
    expect(after).toEqual({ ...before, properties: { ...before!.properties, distinct_id: 'user-1' } });
    await merge('user-1', 'user-2');
    expect(await idOf('p')).toEqual(['user-2']);
    expect((await merge('user-2', '$device:1')).status).toBe(400);
    expect((await mixpanel.fault('merge_identities', { projectId: shopProject, from: 'a' })).status).toBe(400);
  });

  it('make copies of one order equal for compaction, and counts fall', async () => {
    await put([bought('p', { distinct_id: '$device:1' }), bought('p', { distinct_id: 'user-1' })]);
    await mixpanel.fault('compact', { projectId: shopProject });
    expect(await idOf('p')).toHaveLength(2);
    await merge('$device:1', 'user-1');
    await mixpanel.fault('compact', { projectId: shopProject });
    expect(await idOf('p')).toEqual(['user-1']);
  });
});

describe('the events of a website', () => {
  it.each([
    [{ projectId: '1', events: [] }, /Unknown projectId 1/],
    [{ projectId: shopProject, events: 'all' }, /must be a list/],
    [{ projectId: shopProject, events: [{ event: 'Purchase', properties: {} }] }, /Event 0 needs/],
  ])('are rejected: %j', async (body, error) => {
    const answer = await mixpanel.admin('mixpanel/events', body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(error)]);
  });

  it('have any properties, and separators in texts stay one line', async () => {
    const properties = { order_id: 'ord-1', note: 'a\u2028b\u2029c\u0085d', nested: { items: [1, 2] }, 'odd name': null };
    await put([bought('p', properties)]);
    const { text } = await exported(only('p'));
    expect(text).toContain('a\u2028b');
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(rowsOf({ text } as Answer)).toMatchObject([{ event: 'Purchase', properties }]);
  });
});

describe('the purchases of a shop', () => {
  it('are seeded with everything that makes conversions difficult', async () => {
    const all = await rows({ event: '["Purchase"]' });
    const some = (isSo: (properties: JsonObject) => boolean) => all.filter(({ properties }) => isSo(properties)).length;
    expect(all.length).toBeGreaterThan(150);
    expect(some(({ order_id, email, amount, currency }) => Boolean(order_id && email && amount && currency))).toBe(all.length);
    for (const isSo of [
      ({ consent_ad_user_data }: JsonObject) => consent_ad_user_data === undefined,
      ({ consent_ad_user_data }: JsonObject) => consent_ad_user_data === 'denied',
      ({ distinct_id }: JsonObject) => String(distinct_id).startsWith('$device:'),
      ({ note }: JsonObject) => String(note).includes('\u2028'),
      ({ phone }: JsonObject) => phone !== undefined,
      ({ gclid }: JsonObject) => gclid !== undefined,
      ({ fbc }: JsonObject) => fbc !== undefined,
      ({ msclkid }: JsonObject) => msclkid !== undefined,
      ({ time, mp_processing_time_ms }: JsonObject) => Number(mp_processing_time_ms) - Number(time) >= dayMs,
    ])
      expect(some(isSo)).toBeGreaterThan(5);
    const orders = new Set(all.map(({ properties }) => properties.$insert_id));
    expect(orders.size).toBeLessThan(all.length);
    expect((await rows({ event: '["Order Refunded"]' })).length).toBeGreaterThan(5);
  });

  it('become fewer when they are compacted', async () => {
    const before = await rows();
    await mixpanel.fault('compact', { projectId: shopProject });
    const after = await rows();
    expect(after.length).toBeLessThan(before.length);
    const ids = (list: ExportedRow[]) => new Set(list.map(({ properties }) => properties.$insert_id));
    expect(ids(after)).toEqual(ids(before));
  });

  it('have times of the project where it was created before 2023', async () => {
    const [first] = await rows({ project_id: oldShopProject, to_date: day(-1), limit: '1' }, 'us');
    const { properties } = first!;
    const hours = (Number(properties.mp_processing_time_ms) - Number(properties.time)) / 3_600_000;
    expect(Math.round(hours)).toBeGreaterThanOrEqual(7);
    expect(Math.round(hours)).toBeLessThanOrEqual(8);
  });

  it('cannot be read by a service account of other projects', async () => {
    expect((await mixpanel.export({ project_id: shopProject }, 'eu')).status).toBe(403);
    expect((await mixpanel.export({ project_id: europeProject }, 'eu', shop)).status).toBe(403);
  });

  it('are the same in every sandbox, and survive a restart with their merges', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-shop-'));
    const first = await startMixpanel({ dataDir });
    const before = await exported({}, 'eu', first);
    expect(before.text).toBe((await exported()).text);
    await first.fault('merge_identities', { projectId: shopProject, from: 'user-1', into: 'user-2' });
    const merged = await exported({}, 'eu', first);
    await first.close();
    const second = await startMixpanel({ dataDir });
    expect((await exported({}, 'eu', second)).text).toBe(merged.text);
    expect(merged.text).not.toBe(before.text);
    await second.close();
    rmSync(dataDir, { recursive: true });
  });
});
