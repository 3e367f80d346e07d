import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anEvent, freeProject, loader, startMixpanel, webProject } from './mixpanel.ts';

let mixpanel: Awaited<ReturnType<typeof startMixpanel>>;
beforeEach(async () => {
  mixpanel = await startMixpanel();
});
afterEach(() => mixpanel.close());

const events = Array.from({ length: 10 }, (_, index) => anEvent({ $insert_id: `row-${index + 1}` }));
const shown = async (): Promise<unknown> => (await mixpanel.totals()).body.events;

it.each([
  ['throttle', 429],
  ['bad_gateway', 502],
  ['unavailable', 503],
  ['server_error', 500],
])('%s fails imports as often as configured, without storing events', async (fault, status) => {
  await mixpanel.fault(fault, { times: 2 });
  expect((await mixpanel.import(events)).status).toBe(status);
  expect((await mixpanel.import(events)).status).toBe(status);
  expect(await shown()).toBe(0);
  expect((await mixpanel.import(events)).status).toBe(200);
});

it('applies to another endpoint when it is given', async () => {
  await mixpanel.fault('throttle', { endpoint: 'export' });
  expect((await mixpanel.import(events)).status).toBe(200);
  expect((await mixpanel.export()).status).toBe(429);
  await mixpanel.fault('unavailable', { endpoint: 'app' });
  expect((await mixpanel.get('us/api/app/me')).status).toBe(503);
  expect((await mixpanel.get(`us/api/query/events/names?project_id=${webProject}`)).status).toBe(200);
});

it('a service account is revoked until the fault is cleared', async () => {
  await mixpanel.fault('revoke', { user: loader.split(':')[0] });
  expect((await mixpanel.import(events)).status).toBe(401);
  expect((await mixpanel.export()).status).toBe(401);
  await mixpanel.admin('faults', undefined, 'DELETE');
  expect((await mixpanel.import(events)).status).toBe(200);
});

describe('an import', () => {
  it('fails after events were stored, with an answer or without', async () => {
    await mixpanel.fault('fail_after_applying', { times: 1 });
    expect((await mixpanel.import(events.slice(0, 5))).status).toBe(503);
    expect(await shown()).toBe(5);
    await mixpanel.fault('fail_after_applying', { times: 1, drop: true });
    await expect(mixpanel.import(events)).rejects.toThrow();
    expect(await shown()).toBe(10);
  });

  it('fails before events are stored when the connection drops', async () => {
    await mixpanel.fault('drop_connection', { times: 1 });
    await expect(mixpanel.import(events)).rejects.toThrow();
    expect(await shown()).toBe(0);
  });

  it('loses acknowledged events', async () => {
    await mixpanel.fault('drop_events', { everyNth: 5 });
    expect((await mixpanel.import(events)).body.num_records_imported).toBe(10);
    expect(await shown()).toBe(8);
  });

  it('loses the acknowledged events that match an expression', async () => {
    await mixpanel.fault('drop_events', { where: 'properties["revision"] == 2' });
    const revisions = [1, 2, 3].map((revision) => anEvent({ $insert_id: `row-${revision}`, revision }));
    expect((await mixpanel.import(revisions)).body.num_records_imported).toBe(3);
    expect((await mixpanel.rows()).map(({ properties }) => properties.revision)).toEqual([1, 3]);
  });

  it('rejects some events and accepts the others', async () => {
    await mixpanel.fault('reject_events', { everyNth: 5, field: 'properties.cost', message: 'not today' });
    const { status, body } = await mixpanel.import(events);
    expect(status).toBe(400);
    expect(body.failed_records).toEqual([4, 9].map((index) => expect.objectContaining({ index, message: 'not today' })));
    expect(body.num_records_imported).toBe(8);
    expect(await shown()).toBe(8);
  });

  it('stores events twice, which reports do not show', async () => {
    await mixpanel.fault('repeat_events');
    await mixpanel.import(events);
    expect((await mixpanel.totals()).body).toMatchObject({ events: 10, rawEvents: 20 });
    expect(await mixpanel.rows()).toHaveLength(20);
  });

  it('appears with a delay', async () => {
    await mixpanel.fault('delay_events', { seconds: 0.3 });
    await mixpanel.import(events);
    expect(await mixpanel.rows()).toEqual([]);
    await expect.poll(async () => (await mixpanel.rows()).length, { timeout: 5_000 }).toBe(10);
  });

  it('is limited to the configured size', async () => {
    await mixpanel.fault('payload_limit', { bytes: 500 });
    expect((await mixpanel.import(events)).body.error).toBe('request exceeds max limit of 500 bytes');
    expect((await mixpanel.importPacked(JSON.stringify(events))).status).toBe(413);
    expect((await mixpanel.import(events.slice(0, 2))).status).toBe(200);
  });
});

describe('an export', () => {
  it('is truncated in a line', async () => {
    await mixpanel.import(events);
    await mixpanel.fault('truncate', { endpoint: 'export' });
    const { status, text } = await mixpanel.export();
    expect(status).toBe(200);
    expect(() => JSON.parse(text.split('\n').at(-1) ?? '') as unknown).toThrow();
  });

  it('ends between two lines, or with its connection', async () => {
    await mixpanel.import(events);
    await mixpanel.fault('truncate', { endpoint: 'export', atLineEnd: true, times: 1 });
    const rows = await mixpanel.rows();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(10);
    await mixpanel.fault('truncate', { endpoint: 'export', abort: true });
    await expect(mixpanel.export()).rejects.toThrow();
  });
});

it('lines of an export lack the user of events that have none', async () => {
  await mixpanel.import([anEvent(), anEvent({ $insert_id: 'row-2', distinct_id: 'someone' })]);
  await mixpanel.fault('omit_distinct_id', { endpoint: 'export' });
  expect((await mixpanel.rows()).map(({ properties }) => properties.distinct_id)).toEqual([undefined, 'someone']);
});

it('a project on the Free plan imports and exports, and its Query API answers 402', async () => {
  expect((await mixpanel.import(events, 'us', freeProject)).status).toBe(200);
  expect(await mixpanel.rows({ project_id: freeProject })).toHaveLength(10);
  const names = await mixpanel.get(`us/api/query/events/names?project_id=${freeProject}`);
  expect([names.status, names.body.error]).toEqual([402, 'Your plan does not allow API calls. Upgrade at mixpanel.com/pricing']);
  expect((await mixpanel.get('us/api/app/me')).status).toBe(200);
  expect((await mixpanel.export({ project_id: freeProject }, 'eu')).status).toBe(400);
});

it('the request log contains the unpacked body without the secret', async () => {
  await mixpanel.importPacked(JSON.stringify(events));
  await mixpanel.fault('throttle', { times: 1 });
  await mixpanel.import(events);
  const { body, text } = await mixpanel.admin('requests?provider=mixpanel&limit=10');
  expect((body.requests as object[]).at(-2)).toMatchObject({
    path: '/mixpanel/us/import',
    status: 200,
    requestBody: expect.stringContaining('"Ad Data"'),
  });
  expect((body.requests as object[]).at(-1)).toMatchObject({ status: 429, fault: 'throttle' });
  expect(text).not.toContain('sandbox-loader-secret');
});

it('rejects invalid faults and limits', async () => {
  expect((await mixpanel.fault('compact')).status).toBe(400);
  expect((await mixpanel.fault('compact', { projectId: '1' })).status).toBe(400);
  expect((await mixpanel.admin('mixpanel/limits', { exportsPerDay: 1 })).status).toBe(400);
  expect((await mixpanel.admin('mixpanel/limits', { exportsPerHour: -1 })).status).toBe(400);
});
