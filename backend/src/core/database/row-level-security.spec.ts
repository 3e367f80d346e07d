import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization } from '../../../test/factories.js';
import { Database } from './database.js';
import { TenantDatabase, type TenantQuery } from './tenant-database.js';

const EVERYTHING = 'select id, organization_id from alerts where organization_id = $1 or true order by id';
const ID = { own: '01900000-0000-7000-8000-00000000000a', other: '01900000-0000-7000-8000-00000000000b' };
const VIOLATION = /violates row-level security policy/;

let app: TestApp;
let tenants: TenantDatabase;
let own: string;
let other: string;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '3' });
  tenants = app.nest.get(TenantDatabase);
  own = (await anOrganization(app)).id;
  other = (await anOrganization(app)).id;
  for (const [organizationId, id] of [
    [own, ID.own],
    [other, ID.other],
  ] as const)
    await tenants.of(organizationId).alert.create({ data: anAlert(organizationId, id) });
});
afterAll(() => app?.stop());

const anAlert = (organizationId: string, id: string) => ({
  ...({ id, organizationId, kind: 'connection.late', subjectType: 'connection', subjectId: id } as const),
  ...{ failureClass: 'transient', code: 'provider.unavailable', message: 'No response.', action: 'Wait.' },
});

/** Every way to run SQL of an organization. */
const WAYS: [string, (work: (query: TenantQuery) => Promise<unknown>) => Promise<unknown>][] = [
  ['a statement', (work) => work((text, parameters) => tenants.query(own, text, parameters))],
  ['a transaction', (work) => tenants.transaction(own, work)],
  ['a shared transaction', (work) => tenants.together(own, () => work((text, given) => tenants.query(own, text, given)))],
  ['a unit of work', (work) => tenants.write(own, (_transaction, query) => work(query))],
  ['a unit of work after a check of the user', (work) => tenants.write(own, (_, query) => work(query), { checkPerson })],
];
const checkPerson = async (query: (text: string) => Promise<unknown[]>): Promise<void> => {
  expect(await query('select id from alerts')).toHaveLength(2);
};

describe('row-level security', () => {
  it('protects every table with an organization', async () => {
    const tables = await app.database.query<{ name: string; isProtected: boolean; policies: string[] | null }>(
      `select c.relname as name, c.relrowsecurity as "isProtected",
              (select array_agg(polname::text) from pg_policy where polrelid = c.oid) as policies
         from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and (c.relname = 'organizations'
            or exists (select from pg_attribute where attrelid = c.oid and attname = 'organization_id' and not attisdropped))`,
    );
    expect(tables.length).toBeGreaterThan(55);
    const unprotected = tables.filter(({ isProtected, policies }) => !isProtected || policies?.join() !== 'tenant');
    expect(unprotected.map(({ name }) => name)).toEqual([]);
  });

  it.each(WAYS)('%s with a wrong condition reads only rows of its organization', async (_way, run) => {
    expect(await run((query) => query(EVERYTHING))).toEqual([{ id: ID.own, organization_id: own }]);
  });

  it.each(WAYS)('%s with a wrong condition changes only rows of its organization', async (_way, run) => {
    const change = `update alerts set code = 'changed' where organization_id = $1 or true returning id`;
    expect(await run((query) => query(change))).toEqual([{ id: ID.own }]);
    const remove = 'delete from alerts where organization_id <> $1 returning id';
    expect(await run((query) => query(remove))).toEqual([]);
  });

  it.each(WAYS)('%s cannot move a row to another organization', async (_way, run) => {
    const move = 'update alerts set organization_id = $2 where organization_id = $1';
    await expect(run((query) => query(move, [other]))).rejects.toThrow(VIOLATION);
  });

  it("applies to the statements of Prisma's client, with and without a transaction", async () => {
    const move = { where: { id: ID.own }, data: { organizationId: other } };
    await expect(tenants.of(own).alert.updateMany(move)).rejects.toThrow(VIOLATION);
    await expect(tenants.of(own).alert.update(move)).rejects.toThrow(VIOLATION);
    await expect(tenants.write(own, ({ alert }) => alert.updateMany(move))).rejects.toThrow(VIOLATION);
  });

  it('ends with the statement or transaction, also with one that failed', async () => {
    const { pool } = app.nest.get(Database);
    for (const [, run] of WAYS) {
      await run((query) => query(EVERYTHING));
      await expect(run((query) => query('select 1 / 0 from alerts where organization_id = $1'))).rejects.toThrow(
        'division by zero',
      );
      const sessions = await Promise.all(Array.from({ length: 3 }, () => pool.query('select id from alerts, pg_sleep(0.05)')));
      expect(sessions.map(({ rows }) => rows.length)).toEqual([2, 2, 2]);
    }
  });

  it('keeps concurrent statements of two organizations apart in the sessions that they share', async () => {
    const read = async (index: number): Promise<string[]> => {
      const organizationId = index % 2 ? own : other;
      const [statement, unit] = await Promise.all([
        tenants.query<{ organization_id: string }>(organizationId, EVERYTHING),
        tenants.of(organizationId).alert.findMany({ select: { organizationId: true } }),
      ]);
      const seen = [...statement.map((row) => row.organization_id), ...unit.map((row) => row.organizationId)];
      return seen.filter((id) => id !== organizationId);
    };
    const foreign = await Promise.all(Array.from({ length: 200 }, (_, index) => read(index)));
    expect(foreign.flat()).toEqual([]);
  });

  it('keeps a unit of work open that waits for another server, as long as its own limit allows', async () => {
    const idleLimit = async (limits?: { maxWait: number; timeout: number }) => {
      const read = `select current_setting('idle_in_transaction_session_timeout') as "limit" from alerts where organization_id = $1`;
      return tenants.write(own, (_, query) => query(read), limits && { limits });
    };
    expect(await idleLimit()).toEqual([{ limit: '15s' }]);
    expect(await idleLimit({ maxWait: 40_000, timeout: 40_000 })).toEqual([{ limit: '40s' }]);
  });

  it('rejects operations that Prisma would send as one statement for several organizations', async () => {
    await expect(tenants.of(own).alert.findUnique({ where: { id: ID.own } })).rejects.toThrow('Use findFirst');
  });
});
