import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  anEvent,
  basic,
  europeProject,
  expired,
  loader,
  noon,
  reader,
  startMixpanel,
  webProject,
  type Json,
} from './mixpanel.ts';

let mixpanel: Awaited<ReturnType<typeof startMixpanel>>;
beforeEach(async () => {
  mixpanel = await startMixpanel();
});
afterEach(() => mixpanel.close());

const manyEvents = (count: number, properties = {}): Json[] =>
  Array.from({ length: count }, (_, index) => anEvent({ $insert_id: `row-${index + 1}`, ...properties }));
const refusalOf = async (event: Json): Promise<Json> => {
  const { status, body } = await mixpanel.import([event]);
  expect(status).toBe(400);
  expect(body).toMatchObject({ num_records_imported: 0, status: 'Bad Request' });
  return (body.failed_records as { field: string }[])[0]?.field;
};

describe('authorization', () => {
  const importAs = (credentials: string, query?: string) =>
    mixpanel.post(JSON.stringify([anEvent()]), { authorization: basic(credentials) }, 'us', query);

  it.each([['loader.f5a1c2.mp-service-account:wrong'], ['nobody:secret'], [expired]])('not %s', async (credentials) => {
    const { status, body } = await importAs(credentials);
    expect({ status, ...body }).toEqual({ status: 'Unauthorized', code: 401, error: 'Invalid credentials' });
  });

  it('not an analyst, not for another project, and not without a project', async () => {
    expect((await importAs(reader)).status).toBe(403);
    expect((await importAs(loader, 'strict=1&project_id=999')).status).toBe(403);
    expect((await importAs(loader, 'strict=1')).body.error).toContain('invalid project secret');
  });

  it('an admin in base64 or in plain text, and the project token with an empty password', async () => {
    expect((await importAs(loader)).status).toBe(200);
    const headers = { authorization: `Basic ${loader}` };
    expect((await mixpanel.post(JSON.stringify([anEvent()]), headers)).status).toBe(200);
    expect((await importAs('5f0c1e2d3b4a59687786a5b4c3d2e1f0:', 'strict=1')).status).toBe(200);
  });
});

describe('a request', () => {
  it('is a JSON array or newline-delimited JSON, gzip or not', async () => {
    const events = manyEvents(3);
    const lines = events.map((event) => JSON.stringify(event)).join('\n');
    const imported = { code: 200, num_records_imported: 3, status: 'OK' };
    expect((await mixpanel.import(events)).body).toEqual(imported);
    expect((await mixpanel.importPacked(JSON.stringify(events))).body).toEqual(imported);
    expect((await mixpanel.importPacked(lines, 'application/x-ndjson')).body).toEqual(imported);
  });

  it('is rejected when it is neither', async () => {
    expect((await mixpanel.post('{"event":')).status).toBe(400);
    expect((await mixpanel.post('{}')).status).toBe(400);
    expect((await mixpanel.post('no gzip', { 'content-encoding': 'gzip' })).status).toBe(400);
  });

  it('contains at most 2,000 events and 10 MB uncompressed', async () => {
    expect((await mixpanel.import(manyEvents(2_000))).body.num_records_imported).toBe(2_000);
    expect((await mixpanel.import(manyEvents(2_001))).status).toBe(400);
    const large = JSON.stringify(manyEvents(1_100, { note: 'x'.repeat(10_000) }));
    expect((await mixpanel.importPacked(large)).body).toMatchObject({
      code: 413,
      error: 'request exceeds max limit of 10485760 bytes',
    });
    expect((await mixpanel.post(large)).status).toBe(413);
  });

  it('to another region is acknowledged and lost', async () => {
    expect((await mixpanel.import([anEvent()], 'us', europeProject)).body.num_records_imported).toBe(1);
    expect((await mixpanel.totals({ projectId: europeProject })).body).toMatchObject({ events: 0, rawEvents: 0 });
    await mixpanel.import([anEvent()], 'eu', europeProject);
    expect((await mixpanel.totals({ projectId: europeProject })).body.events).toBe(1);
  });
});

describe('an event', () => {
  it.each([
    ['event', { event: '' }],
    ['properties', { properties: null }],
  ])('requires its %s', async (field, overrides) => {
    expect(await refusalOf({ ...anEvent(), ...overrides })).toBe(field);
  });

  it.each([
    ['properties.time', { time: undefined }],
    ['properties.time', { time: '2026-03-10' }],
    ['properties.time', { time: 31_535_999_000 / 1_000 }],
    ['properties.time', { time: Date.now() + 3_700_000 }],
    ['properties.$insert_id', { $insert_id: undefined }],
    ['properties.$insert_id', { $insert_id: 'x'.repeat(37) }],
    ['properties.$insert_id', { $insert_id: 'row_1' }],
    ['properties.$insert_id', { $insert_id: 'None' }],
    ['properties.distinct_id', { distinct_id: 'anonymous' }],
    ['properties.distinct_id', { distinct_id: null }],
    ['properties.list', { list: Array.from({ length: 255 }, () => 1) }],
    ['properties.deep', { deep: { a: { b: { c: { d: 1 } } } } }],
    ['event', { note: 'x'.repeat(1_100_000) }],
    ['properties', Object.fromEntries(Array.from({ length: 255 }, (_, index) => [`p${index}`, 1]))],
  ])('is rejected for its %s', async (field, properties) => {
    expect(await refusalOf(anEvent(properties))).toBe(field);
  });

  it('is accepted although others are rejected; the name of the id alternates', async () => {
    const events = [anEvent({ time: -1 }), anEvent({ $insert_id: 'row-2' }), anEvent({ $insert_id: 'row-3', time: -1 })];
    const first = await mixpanel.import(events);
    expect(first.status).toBe(400);
    expect(first.body).toEqual({
      code: 400,
      error: 'some data points in the request failed validation',
      failed_records: [
        expect.objectContaining({ index: 0, $insert_id: 'row-1', field: 'properties.time' }),
        expect.objectContaining({ index: 2, $insert_id: 'row-3' }),
      ],
      num_records_imported: 1,
      status: 'Bad Request',
    });
    const second = await mixpanel.import(events);
    expect((second.body.failed_records as object[])[0]).toMatchObject({ insert_id: 'row-1' });
    expect((await mixpanel.rows()).map(({ properties }) => properties.$insert_id)).toEqual(['row-2', 'row-2']);
  });

  it('that is rejected without strict=1 returns 200', async () => {
    const { status, body } = await mixpanel.post('[{}]', {}, 'us', `strict=0&project_id=${webProject}`);
    expect({ httpStatus: status, ...body }).toEqual({
      httpStatus: 200,
      code: 200,
      error: 'some data points in the request failed validation',
      num_records_imported: 0,
      status: 0,
    });
  });

  it('can have seconds or milliseconds, and a near-future time is set to now', async () => {
    await mixpanel.import([anEvent(), anEvent({ time: noon / 1_000, $insert_id: 'row-2' })]);
    expect((await mixpanel.rows()).map(({ properties }) => properties.time)).toEqual([noon, noon]);
    const ahead = Date.now() + 1_800_000;
    await mixpanel.import([anEvent({ time: ahead, $insert_id: 'row-3' })]);
    const today = new Date().toISOString().slice(0, 10);
    const [row] = await mixpanel.rows({ from_date: today, to_date: today });
    expect(row?.properties.time).toBeLessThan(ahead);
  });

  it('without a user gets the sender’s hash, and without ip=0 the sender’s location', async () => {
    await mixpanel.import([anEvent(), anEvent({ $insert_id: 'row-2', distinct_id: undefined, ip: undefined })]);
    const [careful, careless] = (await mixpanel.rows()).map(({ properties }) => properties);
    expect(careful).toMatchObject({ distinct_id: '' });
    expect(careful).not.toHaveProperty('$city');
    expect(careful).not.toHaveProperty('ip');
    expect(careless?.distinct_id).toMatch(/^[0-9a-f]{32}$/);
    expect(careless).toHaveProperty('$city');
  });

  it('truncates text to 255 characters', async () => {
    await mixpanel.import([anEvent({ campaign_name: 'x'.repeat(300) })]);
    expect(String((await mixpanel.rows())[0]?.properties.campaign_name)).toHaveLength(255);
  });
});
