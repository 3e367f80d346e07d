import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anEvent, europeProject, freeProject, noon, reader, startMixpanel, webProject } from './mixpanel.ts';

let mixpanel: Awaited<ReturnType<typeof startMixpanel>>;
beforeEach(async () => {
  mixpanel = await startMixpanel();
});
afterEach(() => mixpanel.close());

describe('duplicates', () => {
  it('are all exported, and reported once with the latest values', async () => {
    await mixpanel.import([anEvent({ cost: 1 })]);
    await mixpanel.import([anEvent({ cost: 5 })]);
    expect((await mixpanel.rows()).map(({ properties }) => properties.cost)).toEqual([1, 5]);
    expect((await mixpanel.totals()).body).toMatchObject({ events: 1, rawEvents: 2, sums: { cost: '5' } });
  });

  it.each([
    ['name', anEvent({}, 'Other')],
    ['user', anEvent({ distinct_id: 'someone' })],
    ['time', anEvent({ time: noon + 1 })],
    ['id', anEvent({ $insert_id: 'row-2' })],
  ])('require the same %s', async (_, other) => {
    await mixpanel.import([anEvent(), other]);
    expect((await mixpanel.totals()).body.events).toBe(2);
  });

  it('of one day become one when they are compacted, whatever their times', async () => {
    await mixpanel.import([anEvent({ cost: 1 }), anEvent({ cost: 2, time: noon + 3_600_000 }), anEvent({ $insert_id: 'row-2' })]);
    await mixpanel.fault('compact', { projectId: webProject });
    expect((await mixpanel.rows()).map(({ properties }) => [properties.$insert_id, properties.cost])).toEqual([
      ['row-1', 2],
      ['row-2', 1.1],
    ]);
  });
});

describe('a raw export', () => {
  it('is lines of JSON with the time in seconds unless asked otherwise', async () => {
    await mixpanel.import([anEvent()]);
    const { text } = await mixpanel.export({ time_in_ms: 'false' });
    expect(text.endsWith('\n')).toBe(true);
    expect(JSON.parse(text)).toMatchObject({
      event: 'Ad Data',
      properties: { time: noon / 1_000, distinct_id: '', $insert_id: 'row-1', mp_processing_time_ms: expect.any(Number) },
    });
  });

  it('contains the requested days: UTC days for a new project, days of its zone for an old one', async () => {
    const late = anEvent({ time: Date.parse('2026-03-10T23:30:00Z') });
    await mixpanel.import([late]);
    expect(await mixpanel.rows()).toHaveLength(1);
    await mixpanel.import([late], 'eu', europeProject);
    const days = (date: string) => mixpanel.rows({ project_id: europeProject, from_date: date, to_date: date }, 'eu');
    expect(await days('2026-03-10')).toEqual([]);
    // Berlin is an hour ahead, and an old project gives out its wall clock.
    expect((await days('2026-03-11'))[0]?.properties.time).toBe(Date.parse('2026-03-11T00:30:00Z'));
  });

  it('is filtered by name and by an expression', async () => {
    await mixpanel.import([
      anEvent({ account_id: '1', $insert_id: 'a' }),
      anEvent({ account_id: '2', $insert_id: 'b', clicks: 7 }),
      anEvent({ account_id: '1', $insert_id: 'c' }, 'Other'),
    ]);
    const ids = async (parameters: Record<string, string>) =>
      (await mixpanel.rows(parameters)).map(({ properties }) => properties.$insert_id).join('');
    expect(await ids({ event: '["Ad Data"]' })).toBe('ab');
    expect(await ids({ where: 'properties["account_id"] == "1"' })).toBe('ac');
    expect(await ids({ where: 'properties["account_id"] == 1' })).toBe('');
    expect(await ids({ where: 'properties["account_id"] in ["2", "3"] or not properties["clicks"] <= 5' })).toBe('b');
    expect(await ids({ where: '(number(properties["account_id"]) >= 2) and defined(properties["clicks"])' })).toBe('b');
    expect(await ids({ limit: '1' })).toBe('a');
  });

  it.each([
    { from_date: 'yesterday' },
    { from_date: '2026-03-11' },
    { event: 'Ad Data' },
    { limit: '100001' },
    { where: 'properties["a"' },
    { where: 'explode(1)' },
    { project_id: '999' },
  ])('is rejected for %j', async (parameters) => {
    const { status, body } = await mixpanel.export(parameters as unknown as Record<string, string>);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.request).toContain('/mixpanel/us/export?');
  });

  it('is rejected in another region than the project’s', async () => {
    const { status, body } = await mixpanel.export({ project_id: europeProject });
    expect(status).toBe(400);
    expect(body.error).toBe('request failed with error: invalid project id for cluster.');
  });

  it('is allowed for an analyst of the project', async () => {
    expect((await mixpanel.export({}, 'us', reader)).status).toBe(200);
    expect((await mixpanel.export({ project_id: europeProject }, 'eu', reader)).status).toBe(403);
  });

  it('is limited to 3 a second and 60 an hour', async () => {
    await mixpanel.admin('mixpanel/limits', { exportsPerSecond: 3, exportsPerHour: 60 });
    const three = await Promise.all(Array.from({ length: 4 }, () => mixpanel.export()));
    expect(three.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
    await mixpanel.admin('mixpanel/limits', { exportsPerSecond: 100 });
    for (let call = 3; call < 60; call++) expect((await mixpanel.export()).status).toBe(200);
    expect((await mixpanel.export()).status).toBe(429);
    await mixpanel.admin('clock', { offsetDays: 1 });
    expect((await mixpanel.export()).status).toBe(200);
  });
});

describe('queries', () => {
  it('return the projects of a service account, the same in every region', async () => {
    const { body } = await mixpanel.get('us/api/app/me');
    expect(Object.keys((body.results as { projects: object }).projects)).toEqual([webProject, europeProject, freeProject]);
    expect((await mixpanel.get('eu/api/app/me')).body).toEqual(body);
    expect((await mixpanel.get('us/api/app/me', 'nobody:secret')).status).toBe(401);
  });

  it('list the names of events, only in the region of the project', async () => {
    await mixpanel.import([anEvent({ time: Date.now() - 1_000 })]);
    expect((await mixpanel.get(`us/api/query/events/names?project_id=${webProject}`)).text).toBe('["Ad Data"]');
    expect((await mixpanel.get(`eu/api/query/events/names?project_id=${webProject}`)).body.error).toContain('for cluster');
  });

  it('sum deduplicated events by day of the project', async () => {
    await mixpanel.import([anEvent({ cost: 9 })]);
    await mixpanel.import([
      anEvent({ cost: 0.1 }),
      anEvent({ cost: 0.2, $insert_id: 'b' }),
      anEvent({ cost: 4, $insert_id: 'c', time: Date.parse('2026-03-11T03:00:00Z') }),
    ]);
    const query = {
      project_id: webProject,
      event: 'Ad Data',
      on: 'properties["cost"]',
      from_date: '2026-03-10',
      to_date: '2026-03-11',
    };
    const { body } = await mixpanel.get(`us/api/query/segmentation/sum?${new URLSearchParams(query)}`);
    expect(body.results).toEqual({ '2026-03-10': 4.3, '2026-03-11': 0 });
  });

  it('are limited to 60 an hour', async () => {
    await mixpanel.admin('mixpanel/limits', { queriesPerHour: 1 });
    const path = `us/api/query/events/names?project_id=${webProject}`;
    expect((await mixpanel.get(path)).status).toBe(200);
    expect((await mixpanel.get(path)).status).toBe(429);
  });
});

it('totals are exact, by account and by any property', async () => {
  await mixpanel.import([
    anEvent({ account_id: '1', stream: 'x', cost: 0.1, $insert_id: 'a' }),
    anEvent({ account_id: '1', stream: 'y', cost: 0.2, $insert_id: 'b' }),
    anEvent({ account_id: '1', stream: 'x', cost: -0.1, $insert_id: 'c' }),
    anEvent({ account_id: '2', stream: 'x', cost: 1e-7, $insert_id: 'd' }),
  ]);
  expect((await mixpanel.totals()).body).toMatchObject({ events: 4, sums: { cost: '0.2000001', clicks: '8' } });
  expect((await mixpanel.totals({ accountId: '1', groupBy: 'stream' })).body).toMatchObject({
    events: 3,
    groups: { x: { events: 2, sums: { cost: '0' } }, y: { sums: { cost: '0.2' } } },
  });
  expect((await mixpanel.totals({ projectId: '1' })).status).toBe(400);
});

it('events survive a restart, and so does compaction', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-mixpanel-'));
  try {
    const first = await startMixpanel({ dataDir });
    await first.import([anEvent({ cost: 1 }), anEvent({ cost: 2 }), anEvent({ $insert_id: 'row-2' })]);
    await first.fault('compact', { projectId: webProject });
    await first.import([anEvent({ $insert_id: 'row-3' })]);
    const before = await first.rows();
    await first.close();
    const second = await startMixpanel({ dataDir });
    expect(await second.rows()).toEqual(before);
    expect(before).toHaveLength(3);
    await second.close();
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
