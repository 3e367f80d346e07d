import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createDocument } from '../src/openapi.js';
import { hasType, listOperations, type MediaType, type Parameter, type Schema, schemasOf } from '../src/openapi/schema.js';
import { startTestApp, type TestApp } from './app.js';
import { expectStatus } from './factories.js';
import type { Caller } from './http.js';
import { aSuperAdmin } from './teams.js';
import { aTestOrganization, type TestOrganization } from './permission-matrix/test-organization.js';

/** No list of a response may have more items. */
const MOST_ITEMS = 10_000;

let app: TestApp;
let document: OpenAPIObject;
let organization: TestOrganization;
let owner: Caller;
let path: string;

beforeAll(async () => {
  app = await startTestApp();
  document = await createDocument(app.nest);
  organization = await aTestOrganization(app, 'Long');
  owner = app.http.as(organization.members.owner);
  path = `/api/v1/organizations/${organization.organizationId}`;
  await fill();
});
afterAll(() => app?.stop());

/** Every list in a response, with its path. */
function* listsIn(schema: Schema, place: string, entered: string[] = []): Generator<{ place: string; schema: Schema }> {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) {
    const target = schemasOf(document)[name];
    if (target && !entered.includes(name)) yield* listsIn(target, name, [...entered, name]);
    return;
  }
  if (hasType(schema, 'array')) yield { place, schema };
  for (const [property, child] of Object.entries(schema.properties ?? {})) yield* listsIn(child, `${place}.${property}`, entered);
  if (schema.items) yield* listsIn(schema.items, `${place}[]`, entered);
  for (const child of [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.oneOf ?? [])])
    yield* listsIn(child, place, entered);
}

/** Inserts more rows than any list returns, bypassing the product's own limits. */
async function fill(): Promise<void> {
  const { organizationId, values } = organization;
  const id = [organizationId];
  const users = `select 'many-' || n as uid from generate_series(1, 1100) n`;
  await app.database.query(`insert into users (uid, email, full_name) select uid, uid || '@example.com', uid from (${users}) u`);
  await app.database.query(`insert into members (organization_id, user_id, role) select $1, uid, 'viewer' from (${users}) u`, id);
  for (const table of ['sources', 'destinations', 'connections', 'run_slices', 'submission_steps']) await copyRows(table, 1_200);
  const owned = `select gen_random_uuid() as id from generate_series(1, 1100)`;
  await app.database.query(
    `with made as (insert into organizations (id, name, created_by, updated_at, deleted_at)
                   select id, 'Deleted', $1, now(), now() from (${owned}) o returning id)
     insert into members (organization_id, user_id, role) select id, $1, 'owner' from made`,
    [organization.members.owner.uid],
  );
  const kept = `select jsonb_agg(jsonb_build_object('n', n, 'startedAt', now(), 'endedAt', now(), 'failure', null)) from generate_series(1, 300) n`;
  await app.database.query(`update runs set attempts = (${kept}) where id = $1`, [values['runId']]);
}

/** Copies the table's only row in the organization, each time with a new id. */
async function copyRows(table: string, count: number): Promise<void> {
  const { organizationId, values } = organization;
  if (table === 'run_slices')
    await app.database.query(
      `insert into run_slices (id, organization_id, run_id, stream, account_id, day_from, day_to)
       values ($1, $2, $3, 'campaign_daily', '9001000011', '2026-01-01', '2026-01-01')`,
      [randomUUID(), organizationId, values['runId']],
    );
  if (table === 'submission_steps')
    await app.database.query(
      `insert into submission_steps (id, organization_id, app_id, state) values ($1, $2, $3, 'submitted')`,
      [randomUUID(), organizationId, values['appId']],
    );
  await app.database.query(
    `insert into ${table}
     select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()))).* from ${table} t, generate_series(1, $2)
      where t.organization_id = $1`,
    [organizationId, count],
  );
}

describe('every list of a response', () => {
  it('is a page, or has a limit in the OpenAPI document', () => {
    const unlimited = listOperations(document).flatMap(({ path: route, method, operation }) => {
      const isPage = (operation.parameters as Parameter[] | undefined)?.some(({ name }) => name === 'cursor') ?? false;
      const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
      const schemas = answers.flatMap(([, answer]) =>
        Object.values((answer as { content?: Record<string, MediaType> }).content ?? {}).map(({ schema }) => schema ?? {}),
      );
      return schemas
        .flatMap((schema) => [...listsIn(schema, '')])
        .filter((list) => (list.schema.maxItems ?? Infinity) > (isPage && list.place.endsWith('Page.items') ? 100 : MOST_ITEMS))
        .map(({ place }) => `${method} ${route}: ${place}`);
    });
    expect(unlimited).toEqual([]);
  });

  // Responses are validated against the API document, so one with more items than it states fails here.
  it.each([
    [
      'getTeamMembers',
      1_000,
      () => owner.post('/api/getTeamMembers', { organizationId: organization.organizationId }),
      'members',
    ],
    [
      'getOrganizationData',
      1_000,
      () => owner.get(`/api/getOrganizationData?documentId=${organization.organizationId}&type=connection`),
      'data',
    ],
    ['the deleted organizations', 100, () => owner.get('/api/v1/me/deleted-organizations'), 'items'],
    ['the uses of an app', 1_000, () => owner.get(`${path}/apps/${organization.values['appId']}/impact`), 'sources'],
    ['the slices of a run', 1_000, () => owner.get(`${path}/runs/${organization.values['runId']}`), 'slices'],
    ['the attempts of a run', 100, () => owner.get(`${path}/runs/${organization.values['runId']}`), 'attempts'],
    ['the steps of a submission', 200, () => owner.get(`${path}/apps/${organization.values['appId']}/submission`), 'steps'],
  ] as const)('ends at the documented limit: %s at %d', async (_, limit, read, field) => {
    expect((expectStatus(await read(), 200).body as Record<string, unknown[]>)[field]).toHaveLength(limit);
  });

  it('of a user’s organizations ends at 1,000, and of all organizations at 5,000 without embedded pictures', async () => {
    await app.database.query(`update organizations set deleted_at = null where created_by = $1`, [
      organization.members.owner.uid,
    ]);
    const own = await owner.get<{ organizations: object[] }>('/api/getOrganizationIds');
    expect(expectStatus(own, 200).body.organizations).toHaveLength(1_000);
    const staff = app.http.as(await aSuperAdmin(app));
    const all = await staff.get<{ organizations: object[] }>('/api/getOrganizationIds?superadmin=true');
    expect(expectStatus(all, 200).body.organizations.length).toBeGreaterThan(1_000);
    expect(JSON.stringify(all.body)).not.toContain('data:');
  });

  it('of account-days is rejected if it would have more than 100,000 items', async () => {
    const { organizationId, values } = organization;
    const accounts = `select jsonb_agg(a.accounts->0 || jsonb_build_object('externalId', 'n' || n)) from generate_series(1, 500) n`;
    await app.database.query(`update apps a set accounts = (${accounts}) where organization_id = $1 and id = $2`, [
      organizationId,
      values['appId'],
    ]);
    await app.database.query(
      `update sources set account_ids = (select array_agg('n' || n) from generate_series(1, 500) n) where organization_id = $1 and id = $2`,
      [organizationId, values['sourceId']],
    );
    await app.database.query(`update connections set history_from = '2020-01-01' where organization_id = $1`, [organizationId]);
    const read = (from: string) => owner.get(`${path}/connections/${values['connectionId']}/coverage?from=${from}&to=2026-11-01`);
    const { body } = expectStatus(await read('2026-01-01'), 400);
    expect(body).toMatchObject({
      code: 'request.invalid',
      errors: [{ field: 'from', message: expect.stringContaining('200 days') }],
    });
    expectStatus(await read('2026-09-01'), 200);
  });
});
