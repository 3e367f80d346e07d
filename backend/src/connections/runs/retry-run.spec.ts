import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { expectStatus } from '../../../test/factories.js';
import type { Caller } from '../../../test/http.js';
import { aTestOrganization, type TestOrganization } from '../../../test/permission-matrix/test-organization.js';
import type { RunSummary } from '../../sync/index.js';

let app: TestApp;
let organization: TestOrganization;
let editor: Caller;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await aTestOrganization(app, 'Retry');
  editor = app.http.as(organization.members.editor);
  await change('runs', `state = 'failed'`);
});

const change = (table: 'runs' | 'connections', columns: string) =>
  app.database.query(`update ${table} set ${columns} where organization_id = $1`, [organization.organizationId]);
const retry = (caller = editor) =>
  caller.post<RunSummary>(`/api/v1/organizations/${organization.organizationId}/runs/${organization.values['runId']}/retry`);
const runs = () =>
  app.database.query<{ id: string; kind: string; trigger: string }>(
    'select id, kind, trigger from runs where organization_id = $1 and id <> $2',
    [organization.organizationId, organization.values['runId']],
  );

describe('a retry of a run', () => {
  it('starts a run of the connection, and returns it', async () => {
    const { body } = expectStatus(await retry(), 202);
    expect(body).toMatchObject({ connectionId: organization.values['connectionId'], kind: 'manual', state: 'queued' });
    expect(await runs()).toEqual([{ id: body.id, kind: 'manual', trigger: 'user' }]);
    expect(expectStatus(await retry(), 202).body.id).toBe(body.id);
  });

  it('is rejected while the run is active, and no second one is started', async () => {
    await change('runs', `state = 'running', ended_at = null`);
    const { body } = expectStatus(await retry(), 409);
    expect(body).toMatchObject({ code: 'run.active', action: 'Wait until it has ended, or cancel it' });
    expect(await runs()).toEqual([]);
  });

  it('is rejected for a run of a backfill, which has a retry of its own', async () => {
    await change('runs', `track = 'backfill', kind = 'backfill'`);
    expect(expectStatus(await retry(), 409).body).toMatchObject({
      code: 'run.of_backfill',
      action: 'Retry the failed chunks of the backfill',
    });
  });

  it('is rejected for a paused or deleted connection as a run of it is', async () => {
    await change('connections', `desired = 'paused'`);
    expect(expectStatus(await retry(), 409).body).toMatchObject({
      code: 'connection.paused',
      action: 'Resume the connection first',
    });
    await change('connections', `deleted_at = now()`);
    expect(expectStatus(await retry(), 404).body).toMatchObject({ detail: 'The connection was not found.' });
  });

  it('needs the permission to start runs', async () => {
    expect(expectStatus(await retry(app.http.as(organization.members.viewer)), 403).body).toMatchObject({
      code: 'access.role_too_low',
    });
  });
});
