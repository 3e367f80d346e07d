import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../../test/factories.js';
import { aStoredConnection, BERLIN } from '../../../test/freshness.js';
import type { ConnectionPage } from '../connections.dto.js';
import { pageSql } from './page.js';

const COUNT = 2_500;
const PAGE = 100;

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp({ BILLING: 'none' });
  organization = await anOrganization(app);
  const first = await aStoredConnection(app, organization, [BERLIN], { name: 'Search 0001' });
  // Every tenth is paused, every hundredth has a tag.
  await app.database.query(
    `insert into connections (id, organization_id, source_id, destination_id, name, streams, schedule, history_from, created_by, updated_at, desired, tags)
     select gen_random_uuid(), organization_id, source_id, destination_id, 'Search ' || to_char(n, 'FM0000'), streams, schedule,
            history_from, created_by, now(), (case when n % 10 = 0 then 'paused' else 'active' end)::desired,
            case when n % 100 = 0 then '{hundredth}'::text[] else '{}' end
       from connections, generate_series(2, ${COUNT}) n where id = $1`,
    [first.id],
  );
});
afterAll(() => app?.stop());

const list = async (query: string): Promise<ConnectionPage> =>
  expectStatus(await organization.call.get<ConnectionPage>(`${organization.path}/connections?${query}`), 200).body;

async function allPages(query: string): Promise<ConnectionPage['items']> {
  const items: ConnectionPage['items'] = [];
  for (let cursor = ''; ;) {
    const page = await list(`${query}&limit=${PAGE}${cursor && `&cursor=${cursor}`}`);
    items.push(...page.items);
    if (!page.nextCursor) return items;
    cursor = page.nextCursor;
  }
}

interface Plan extends Record<string, unknown> {
  Plans?: Plan[];
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
}

const nodesOf = (plan: Plan | undefined): Plan[] => (plan ? [plan, ...(plan.Plans ?? []).flatMap(nodesOf)] : []);

const nameOf = (n: number): string => `Search ${String(n).padStart(4, '0')}`;
const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);

describe('a list of 2,500 connections', () => {
  it('counts all of them', async () => {
    const { counts, tags } = await list('limit=1');
    expect(counts).toEqual({ all: COUNT, never_run: COUNT * 0.9, paused: COUNT * 0.1 });
    expect(tags).toEqual(['hundredth']);
  });

  it('finds the last one by its name', async () => {
    expect((await list('search=search%202499')).items.map(({ name }) => name)).toEqual(['Search 2499']);
  });

  it('finds pages of a search, in the order of the list', async () => {
    const found = numbers.filter((n) => nameOf(n).includes('00'));
    const names = (await allPages('search=00')).map(({ name }) => name);
    expect(names).toEqual([...found.filter((n) => n % 10 > 0), ...found.filter((n) => n % 10 === 0)].map(nameOf));
  });

  it('searches the index of its order, and reads only the rows of the page', async () => {
    const { sql, parameters } = pageSql({ search: 'search 2499' }, null, { isClosed: false, rows: PAGE });
    const scansOf = (root: Plan | undefined) => nodesOf(root).filter((node) => node['Node Type'] === 'Index Only Scan');
    const explain = async () => {
      await app.database.query('vacuum analyze');
      const [plan] = await app.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, buffers, format json) ${sql}`,
        [organization.id, ...parameters],
      );
      return plan?.['QUERY PLAN'][0].Plan;
    };
    // A vacuum leaves out pages that a transaction of another session may still see in an older version.
    const root = await eventually(explain, (plan) => scansOf(plan).every((scan) => scan['Heap Fetches'] === 0));
    expect(scansOf(root)).toMatchObject([{ 'Index Name': 'connection_facts_order', 'Heap Fetches': 0 }]);
    expect((root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0)).toBeLessThan(COUNT / 10);
  });

  it('is planned once for all requests of a session', async () => {
    const { sql, order, parameters } = pageSql({}, null, { isClosed: false, rows: 10 });
    const session = new pg.Client(app.database.url);
    await session.connect();
    const statement = {
      name: 'page',
      text: `select * from (${sql}) page order by ${order}`,
      values: [organization.id, ...parameters],
    };
    for (let request = 0; request < 10; request++) await session.query(statement);
    const { rows: counts } = await session.query(
      `select generic_plans::int as "planned once", custom_plans::int as "planned each time" from pg_prepared_statements where name = 'page'`,
    );
    await session.end();
    // PostgreSQL compares five plans for the given parameters with one for any.
    expect(counts).toEqual([{ 'planned once': 5, 'planned each time': 5 }]);
  });

  it('finds the names of a connection whose tags are too long to be searched completely', async () => {
    const tags = Array.from({ length: 20 }, (_, index) => `${'𝔸'.repeat(35)}${index}`);
    const { id } = await aStoredConnection(app, organization, [BERLIN], { name: `Long ${'𝔹'.repeat(100)}` });
    await app.database.query('update connections set tags = $2 where id = $1', [id, tags]);
    expect((await list('search=long')).items.map((item) => item.id)).toEqual([id]);
    expect((await list(`search=${encodeURIComponent('𝔹'.repeat(100))}`)).items.map((item) => item.id)).toEqual([id]);
    expect((await list(`tag=${encodeURIComponent(tags[19] ?? '')}`)).items.map((item) => item.id)).toEqual([id]);
    await app.database.query('update connections set deleted_at = now() where id = $1', [id]);
  });

  it('has pages up to the last one, each connection once, worst health first and then by name', async () => {
    const names = (await allPages('')).map(({ name }) => name);
    expect(names).toEqual([...numbers.filter((n) => n % 10 > 0), ...numbers.filter((n) => n % 10 === 0)].map(nameOf));
  });

  it('has pages of a filter up to the last one', async () => {
    const paused = numbers.filter((n) => n % 10 === 0).map(nameOf);
    expect((await allPages('health=paused')).map(({ name }) => name)).toEqual(paused);
    const tagged = numbers.filter((n) => n % 100 === 0).map(nameOf);
    expect((await allPages('tag=hundredth')).map(({ name }) => name)).toEqual(tagged);
  });
});
