import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, type Connection, daysAgo, expectStatus, type Organization } from '../../../test/factories.js';
import { aStoredConnection, BERLIN } from '../../../test/freshness.js';
import type { ConnectionEntry, ConnectionPage } from '../connections.dto.js';

const FAILURE = JSON.stringify({
  class: 'auth',
  code: 'google_ads.denied',
  message: 'A new message.',
  action: 'Wait',
  providerRequestId: null,
});

const sourceOf = 'id = (select source_id from connections where id = $1)';
const destinationOf = 'id = (select destination_id from connections where id = $1)';
const sourceAppOf = `id = (select app_id from sources where ${sourceOf})`;
const destinationAppOf = `id = (select app_id from destinations where ${destinationOf})`;

/** Statements that change what the list shows of a connection `$1`. */
const CHANGES: Record<string, string> = {
  'the failure of the source’s app': `update apps set failure = '${FAILURE}' where ${sourceAppOf}`,
  'the state of the source’s app': `update apps set state = 'connected' where ${sourceAppOf}`,
  'the accounts of the source’s app': `update apps set accounts = jsonb_set(accounts, '{0,name}', '"Renamed"') where ${sourceAppOf}`,
  'the failure of the destination': `update apps set state = 'connected' where ${sourceAppOf}; update destinations set state = 'unreachable', failure = '${FAILURE}' where ${destinationOf}`,
  'the state of the destination’s app': `update apps set state = 'revoked', failure = '${FAILURE}' where ${destinationAppOf}`,
  'the settings of the destination': `update destinations set settings = settings || '{"schema": "other"}' where ${destinationOf}`,
  'the name of the destination': `update destinations set name = 'Lake' where ${destinationOf}`,
  'the settings of the source': `update sources set settings = '{"level": "ad"}' where ${sourceOf}`,
  // Before the accounts are removed: only days of chosen accounts count.
  'its loaded days': `insert into coverage (organization_id, connection_id, stream, account_id, day, state, rows)
    select organization_id, id, 'campaign_daily', 'berlin', current_date - 1, 'final', 5 from connections where id = $1`,
  'the accounts of the source': `update sources set account_ids = '{}' where ${sourceOf}`,
  'the name of the source': `update sources set name = 'Brand' where ${sourceOf}`,
  'its excluded columns': `update connections set left_out = '{"campaign_daily": ["clicks"]}' where id = $1`,
  'its hashed columns': `update connections set hashed = '{"campaign_daily": ["campaign_name"]}' where id = $1`,
  'its next run': `update connections set desired = 'active', next_run_at = now() + interval '1 hour' where id = $1`,
  'why it is paused': `update connections set desired = 'paused', paused_at = now(), paused_failure = '${FAILURE}' where id = $1`,
  'its freshness target': `update connections set freshness_target = '{"atTime": "08:00", "timeZone": "UTC", "daysAfter": 1}' where id = $1`,
  'its version': 'update connections set version = version + 1 where id = $1',
  'its last run': `insert into runs (organization_id, id, connection_id, kind, trigger, state, ended_at)
                   select organization_id, gen_random_uuid(), id, 'manual', 'user', 'failed', now() from connections where id = $1`,
  'a count of its last run': `update runs set api_calls = api_calls + 1 where connection_id = $1`,
  'a pending schema change': `insert into schema_changes (id, organization_id, connection_id, stream, kind, is_breaking, run_id)
    select gen_random_uuid(), organization_id, connection_id, 'campaign_daily', 'columns_added', false, id from runs where connection_id = $1`,
  'a decided schema change': `update schema_changes set state = 'ignored' where connection_id = $1`,
  'a schema change that is pending again': `update schema_changes set state = 'pending' where connection_id = $1`,
  'a deleted schema change': 'delete from schema_changes where connection_id = $1',
};

let app: TestApp;
let organization: Organization;
let connection: Connection;

beforeAll(async () => {
  app = await startTestApp();
  organization = await anOrganization(app);
  connection = await aStoredConnection(app, organization, [BERLIN], { historyFrom: daysAgo(5) });
  await app.database.query(`update apps set state = 'needs_reauth' where ${sourceAppOf}`, [connection.id]);
});
afterAll(() => app?.stop());

const listed = async (): Promise<ConnectionEntry | undefined> =>
  expectStatus(await organization.call.get<ConnectionPage>(`${organization.path}/connections`), 200).body.items[0];

const computed = async (): Promise<ConnectionEntry> =>
  expectStatus(await organization.call.get<ConnectionEntry>(connection.path), 200).body;

describe('an entry of the list that was shown before', () => {
  beforeEach(async () => {
    expect(await listed()).toEqual(await computed());
  });

  it.each(Object.keys(CHANGES))('shows a change of %s', async (what) => {
    const before = await listed();
    for (const statement of CHANGES[what]?.split('; ') ?? []) await app.database.query(statement, [connection.id]);
    const after = await listed();
    expect(after).toEqual(await computed());
    expect(after).not.toEqual(before);
  });

  it('is not computed again while nothing changes: the name of a user may be a minute old', async () => {
    await app.database.query(`update connections set desired = 'paused', paused_at = now(), paused_by = $2 where id = $1`, [
      connection.id,
      organization.owner.uid,
    ]);
    const before = await listed();
    await app.database.query(`update users set full_name = 'New Name' where uid = $1`, [organization.owner.uid]);
    expect((await computed()).pause?.by).toBe('New Name');
    expect(await listed()).toEqual(before);
    await app.database.query('update users set full_name = $2 where uid = $1', [organization.owner.uid, before?.pause?.by]);
  });
});
