import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { expectStatus } from '../../test/factories.js';
import type { Caller } from '../../test/http.js';
import { aTestOrganization, type TestOrganization } from '../../test/permission-matrix/test-organization.js';
import type { BackfillPage } from './backfills.dto.js';

let app: TestApp;
let organization: TestOrganization;
let viewer: Caller;
let path: string;

/** Newest first, in two connections. */
let ids: string[];

beforeAll(async () => {
  app = await startTestApp();
  [organization] = await Promise.all([aTestOrganization(app, 'Home'), aTestOrganization(app, 'Other')]);
  viewer = app.http.as(organization.members.viewer);
  path = `/api/v1/organizations/${organization.organizationId}/backfills`;
  await copyConnection();
  for (const state of ['paused', 'failed', 'paused', 'cancelled']) await copyBackfill(state);
  const rows = await app.database.query<{ id: string }>('select id from backfills where organization_id = $1 order by id desc', [
    organization.organizationId,
  ]);
  ids = rows.map(({ id }) => id);
});
afterAll(() => app?.stop());

const copyConnection = () =>
  app.database.query(
    `insert into connections
     select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'name', 'Copy'))).* from connections c
      where organization_id = $1 limit 1`,
    [organization.organizationId],
  );
const copyBackfill = (state: string) =>
  app.database.query(
    `insert into backfills
     select (jsonb_populate_record(b, jsonb_build_object('id', $2::uuid, 'state', $3::text, 'connection_id',
              (select id from connections where organization_id = $1 order by random() limit 1)))).*
       from backfills b where organization_id = $1 limit 1`,
    [organization.organizationId, randomUUID(), state],
  );
const list = async (query: string) => expectStatus(await viewer.get<BackfillPage>(`${path}?${query}`), 200).body;

describe('the backfills of an organization', () => {
  it('are listed in pages, newest first, of all its connections', async () => {
    const first = await list('limit=3');
    const second = await list(`limit=3&cursor=${first.nextCursor}`);
    expect([first, second].flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids);
    expect(second.nextCursor).toBeNull();
  });

  it('can be limited to a state', async () => {
    const { items } = await list('state=paused');
    expect(items.map(({ state }) => state)).toEqual(['paused', 'paused']);
    expect((await list('state=running')).items).toEqual([]);
    expectStatus(await viewer.get(`${path}?state=draft`), 400);
  });

  it('do not contain those of deleted connections', async () => {
    await copyBackfill('running');
    await app.database.query(
      `update connections set deleted_at = now() where id = (select connection_id from backfills where organization_id = $1 and state = 'running')`,
      [organization.organizationId],
    );
    expect((await list('state=running')).items).toEqual([]);
  });
});
