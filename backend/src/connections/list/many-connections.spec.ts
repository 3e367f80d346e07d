import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, expectStatus, type Organization } from '../../../test/factories.js';
import { aStoredConnection, BERLIN } from '../../../test/freshness.js';
import type { ConnectionPage } from '../connections.dto.js';

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
