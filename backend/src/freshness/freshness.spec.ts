import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { moveClock } from '../../test/clock.js';
import { anOrganization, type Connection, expectStatus, type Organization } from '../../test/factories.js';
import { aStoredConnection, AUCKLAND, BERLIN, LOS_ANGELES, readDays } from '../../test/freshness.js';
import type { FreshnessDayEntry, FreshnessEntry, FreshnessPage } from './freshness.dto.js';

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
});
afterEach(() => moveClock(0));

/** Moves the time of the product to the moment. */
function at(moment: string): void {
  moveClock(0);
  moveClock((Date.parse(moment) - Date.now()) / 86_400_000);
}
const setTarget = async (connection: Connection, freshnessTarget: object | null) => {
  const { body } = await organization.call.get<{ version: number }>(connection.path);
  return organization.call.patch<{ freshnessTarget: object | null }>(connection.path, { freshnessTarget, version: body.version });
};
const freshnessOf = async (connection: Connection, query = ''): Promise<FreshnessEntry> =>
  expectStatus(await organization.call.get<FreshnessEntry>(`${connection.path}/freshness${query}`), 200).body;
const dayOf = async (connection: Connection, day: string): Promise<FreshnessDayEntry | undefined> =>
  (await freshnessOf(connection, `?from=${day}&to=${day}`)).days[0];

describe('a freshness target', () => {
  it.each([
    [{ atTime: '24:00', timeZone: 'UTC' }, 'freshnessTarget.atTime'],
    [{ atTime: '9:00', timeZone: 'UTC' }, 'freshnessTarget.atTime'],
    [{ atTime: '09:00', timeZone: 'Mars/Olympus' }, 'freshnessTarget.timeZone'],
    [{ atTime: '09:00', timeZone: 'UTC', daysAfter: 0 }, 'freshnessTarget.daysAfter'],
    [{ atTime: '09:00', timeZone: 'UTC', daysAfter: 8 }, 'freshnessTarget.daysAfter'],
    [{ atTime: '09:00', timeZone: 'UTC', daysAfter: 1.5 }, 'freshnessTarget.daysAfter'],
    [{ atTime: '09:00' }, 'freshnessTarget.timeZone'],
    [{ atTime: '09:00', timeZone: 'UTC', grace: 1 }, 'freshnessTarget.grace'],
  ])('%j is rejected', async (target, field) => {
    const connection = await aStoredConnection(app, organization, [BERLIN]);
    const answer = await setTarget(connection, target);
    expect(expectStatus(answer, 400).body).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  });

  it('is stored with its default, stays when other settings change, and is removed by null', async () => {
    const connection = await aStoredConnection(app, organization, [BERLIN]);
    const { body } = expectStatus(await setTarget(connection, { atTime: '09:00', timeZone: 'Europe/Berlin' }), 200);
    expect(body.freshnessTarget).toEqual({ atTime: '09:00', timeZone: 'Europe/Berlin', daysAfter: 1 });
    expectStatus(await organization.call.patch(connection.path, { name: 'Other', version: 2 }), 200);
    expect(await freshnessOf(connection)).toMatchObject({ name: 'Other', target: { atTime: '09:00' } });
    expect(expectStatus(await setTarget(connection, null), 200).body.freshnessTarget).toBeNull();
    expect(await freshnessOf(connection)).toMatchObject({ target: null });
  });
});

describe('the deadline', () => {
  const deadlineOn = async (connection: Connection, day: string) => (await dayOf(connection, day))?.deadline;

  it('keeps its local time when clocks change, and is shifted when the time is skipped', async () => {
    const connection = await aStoredConnection(app, organization, [BERLIN]);
    await setTarget(connection, { atTime: '02:30', timeZone: 'Europe/Berlin' });
    at('2026-11-01T12:00:00Z');
    // Clocks go forward on March 29 at 02:00, and back on October 25 at 03:00.
    expect(await deadlineOn(connection, '2026-03-27')).toBe('2026-03-28T01:30:00.000Z');
    expect(await deadlineOn(connection, '2026-03-28')).toBe('2026-03-29T01:30:00.000Z');
    expect(await deadlineOn(connection, '2026-03-29')).toBe('2026-03-30T00:30:00.000Z');
    // The time occurs twice: the first one counts.
    expect(await deadlineOn(connection, '2026-10-24')).toBe('2026-10-25T00:30:00.000Z');
    expect(await deadlineOn(connection, '2026-10-25')).toBe('2026-10-26T01:30:00.000Z');
  });

  it('is a day later if the day has not ended in every account by then', async () => {
    const connection = await aStoredConnection(app, organization, [BERLIN, LOS_ANGELES]);
    at('2026-11-20T12:00:00Z');
    // November 9 ends in Los Angeles at 09:00 in Berlin. A deadline at the end itself cannot be met either.
    for (const [atTime, deadline] of [
      ['08:00', '2026-11-11T07:00:00.000Z'],
      ['09:00', '2026-11-11T08:00:00.000Z'],
      ['09:30', '2026-11-10T08:30:00.000Z'],
    ] as const) {
      await setTarget(connection, { atTime, timeZone: 'Europe/Berlin' });
      expect(await deadlineOn(connection, '2026-11-09')).toBe(deadline);
    }
    await setTarget(connection, { atTime: '09:30', timeZone: 'Europe/Berlin', daysAfter: 3 });
    expect(await deadlineOn(connection, '2026-11-09')).toBe('2026-11-12T08:30:00.000Z');
  });
});

describe('a day', () => {
  it('is over in each account’s own calendar, east and west of UTC', async () => {
    const connection = await aStoredConnection(app, organization, [AUCKLAND, LOS_ANGELES]);
    await setTarget(connection, { atTime: '20:00', timeZone: 'UTC' });
    await readDays(app, connection, { accountId: 'auckland', days: ['2026-11-10'], readAt: '2026-11-10T12:00:00Z' });
    await readDays(app, connection, { accountId: 'los-angeles', days: ['2026-11-10'], readAt: '2026-11-11T07:00:00Z' });
    // In Auckland the day has ended at 11:00 UTC on November 10. In Los Angeles it ends at 08:00 UTC on November 11.
    at('2026-11-11T07:30:00Z');
    expect(await dayOf(connection, '2026-11-10')).toMatchObject({
      isComplete: false,
      state: 'waiting',
      reasons: ['not_over', 'not_due'],
      expected: 2,
      complete: 1,
      missing: [{ stream: 'campaign_daily', accountId: 'los-angeles', accountName: 'Northwind US', state: 'not_over' }],
    });
    expect(await freshnessOf(connection)).toMatchObject({ day: '2026-11-09' });
    at('2026-11-11T08:30:00Z');
    expect(await freshnessOf(connection)).toMatchObject({ day: '2026-11-10', isComplete: false, state: 'waiting' });
    await readDays(app, connection, { accountId: 'los-angeles', days: ['2026-11-10'], readAt: '2026-11-11T08:20:00Z' });
    expect(await freshnessOf(connection)).toMatchObject({ day: '2026-11-10', isComplete: true, state: 'complete' });
  });

  it('names what is missing, with counts and the worst cause', async () => {
    const connection = await aStoredConnection(app, organization, [BERLIN, LOS_ANGELES], {
      streams: ['campaign_daily', 'ad_group_daily'],
      historyFrom: '2026-11-09',
    });
    await setTarget(connection, { atTime: '12:00', timeZone: 'UTC' });
    const days = ['2026-11-09', '2026-11-10'];
    for (const stream of ['campaign_daily', 'ad_group_daily'])
      await readDays(app, connection, { accountId: 'berlin', days, readAt: '2026-11-11T09:00:00Z', stream });
    await readDays(app, connection, { accountId: 'los-angeles', days: ['2026-11-10'], readAt: '2026-11-11T09:00:00Z' });
    await app.database.query(`update coverage set state = 'failed' where connection_id = $1 and account_id = 'los-angeles'`, [
      connection.id,
    ]);
    at('2026-11-11T13:00:00Z');
    const entry = await freshnessOf(connection);
    expect(entry).toMatchObject({
      day: '2026-11-10',
      state: 'late',
      cause: {
        code: 'missing',
        message: '2 of 4 account-days of 2026-11-10 are missing: ad_group_daily of Northwind US and 1 other.',
        action: 'Run the connection',
      },
    });
    // Days before the start date are omitted.
    expect(entry.days.map(({ day }) => day)).toEqual(['2026-11-09', '2026-11-10']);
    expect(entry.days[1]).toMatchObject({
      expected: 4,
      complete: 2,
      reasons: ['missing'],
      missing: [
        { stream: 'ad_group_daily', accountId: 'los-angeles', state: 'missing' },
        { stream: 'campaign_daily', accountId: 'los-angeles', state: 'failed' },
      ],
    });

    await app.database.query(
      `insert into runs (organization_id, id, connection_id, kind, trigger, state, failure, ended_at)
       values ($1, gen_random_uuid(), $2, 'scheduled', 'schedule', 'failed', $3, now())`,
      [
        organization.id,
        connection.id,
        { class: 'quota', code: 'x', message: 'Too many requests.', action: 'Wait', providerRequestId: null },
      ],
    );
    expect((await freshnessOf(connection)).cause).toEqual({ code: 'run_failed', message: 'Too many requests.', action: 'Wait' });
    expectStatus(await organization.call.post(`${connection.path}/pause`), 200);
    expect((await freshnessOf(connection)).cause).toMatchObject({ code: 'paused', action: 'Resume the connection' });
    await app.database.query(`update apps set state = 'needs_reauth' where organization_id = $1 and provider = 'google_ads'`, [
      organization.id,
    ]);
    expect((await freshnessOf(connection)).cause).toMatchObject({ code: 'needs_reauth', action: 'Reconnect the app' });
    expect((await dayOf(connection, '2026-11-10'))?.reasons).toEqual(['missing', 'needs_reauth']);
  });

  it('without a target is complete or incomplete, and never late', async () => {
    const connection = await aStoredConnection(app, organization, [BERLIN], { historyFrom: '2026-11-09' });
    await readDays(app, connection, { accountId: 'berlin', days: ['2026-11-09'], readAt: '2026-11-10T09:00:00Z' });
    at('2026-11-11T13:00:00Z');
    expect((await freshnessOf(connection)).days.map(({ day, state }) => [day, state])).toEqual([
      ['2026-11-09', 'complete'],
      ['2026-11-10', 'incomplete'],
    ]);
  });
});

describe('the range', () => {
  it.each([
    ['?from=2026-11-10&to=2026-11-09', 400],
    ['?from=2026-01-01&to=2026-11-09', 400],
    ['?from=2026-08-03&to=2026-11-10', 200],
    ['?from=2026-08-02&to=2026-11-10', 400],
    ['?from=tomorrow', 400],
  ])('%s of a connection answers %i', async (query, status) => {
    const connection = await aStoredConnection(app, organization, [BERLIN]);
    expectStatus(await organization.call.get(`${connection.path}/freshness${query}`), status);
  });

  it('of an organization has at most 31 days', async () => {
    expectStatus(await organization.call.get(`${organization.path}/freshness?from=2026-10-11&to=2026-11-10`), 200);
    expectStatus(await organization.call.get(`${organization.path}/freshness?from=2026-10-10&to=2026-11-10`), 400);
  });
});

describe('the list', () => {
  it('is paged, can be limited to connections, and does not show those of others or deleted ones', async () => {
    const [first, second, deleted] = [
      await aStoredConnection(app, organization, [BERLIN], { name: 'A' }),
      await aStoredConnection(app, organization, [AUCKLAND], { name: 'B' }),
      await aStoredConnection(app, organization, [BERLIN], { name: 'C' }),
    ];
    const other = await anOrganization(app);
    const foreign = await aStoredConnection(app, other, [BERLIN]);
    expectStatus(await organization.call.delete(deleted.path), 204);
    const list = async (query: string) =>
      (await organization.call.get<FreshnessPage>(`${organization.path}/freshness${query}`)).body;
    const all = [first.id, second.id].sort();
    const page = await list('?limit=1');
    expect(page.items.map(({ connectionId }) => connectionId)).toEqual([all[0]]);
    const rest = await list(`?limit=1&cursor=${page.nextCursor}`);
    expect([rest.items.map(({ connectionId }) => connectionId), rest.nextCursor]).toEqual([[all[1]], null]);
    expect(rest.items[0]?.days).toHaveLength(14);
    const chosen = await list(`?connectionIds=${second.id}&connectionIds=${foreign.id}&connectionIds=${deleted.id}`);
    expect(chosen.items.map(({ name }) => name)).toEqual(['B']);
    expect((await list(`?connectionIds=${first.id}`)).items.map(({ name }) => name)).toEqual(['A']);
    expectStatus(await organization.call.get(`${foreign.path}/freshness`), 404);
    expectStatus(await organization.call.get(`${organization.path}/connections/${foreign.id}/freshness`), 404);
  });
});
