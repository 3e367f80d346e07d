import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionFacts } from '../src/connections/facts/connection-facts.service.js';
import { startTestApp, type TestApp } from './app.js';
import { anOrganization, daysAgo, expectStatus, type Organization } from './factories.js';
import { aStoredConnection, BERLIN, readDays } from './freshness.js';
import { readReports, SAMPLE_QUERIES } from './reports.js';

let app: TestApp;
let organization: Organization;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
});

const read = (text: string, parameters?: unknown[]) => readReports(app.database, text, parameters);
const sample = (part: string): string => {
  const [query, ...others] = SAMPLE_QUERIES.filter((text) => text.includes(part));
  if (query === undefined || others.length > 0) throw new Error(`${others.length} more sample queries contain ${part}`);
  return query;
};

const REVENUE = `
  insert into payment_recurring_revenues (organization_id, payment_id, day, definition_version, currencies, left_out, uncertain, computed_at)
  select $1, $2, $3, 1, jsonb_agg(jsonb_build_object('currency', currency, 'amountMinor', 1200, 'pastDueMinor', 0, 'endingMinor', 0,
         'subscriptions', 1)), '[]', '[]', $3::date
    from unnest($4::text[]) currency`;

/** One object in each view. */
async function addObjects(owner: Organization): Promise<{ payment: string }> {
  const { id: connection } = await aStoredConnection(app, owner, [BERLIN], { historyFrom: daysAgo(9) });
  await readDays(
    app,
    { id: connection, path: '' },
    { accountId: BERLIN.id, days: [daysAgo(2)], readAt: new Date().toISOString() },
  );
  const [run, backfill, conversion, payment] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const insert = (sql: string, parameters: unknown[]) => app.database.query(sql, [owner.id, ...parameters]);
  await insert(
    `insert into coverage (organization_id, connection_id, stream, account_id, day, state) values ($1, $2, 'campaign_daily', $3, $4, 'failed')`,
    [connection, BERLIN.id, daysAgo(3)],
  );
  await insert(
    `insert into runs (organization_id, id, connection_id, kind, trigger, state, ended_at) values ($1, $2, $3, 'manual', 'user', 'succeeded', now())`,
    [run, connection],
  );
  await insert(
    `insert into run_slices (organization_id, id, run_id, stream, account_id, day_from, day_to) values ($1, $2, $3, 'campaign_daily', $4, $5, $5)`,
    [randomUUID(), run, BERLIN.id, daysAgo(2)],
  );
  await insert(
    `insert into backfills (organization_id, id, connection_id, mode, streams, account_ids, requested_from, day_from, day_to, chunk_days, estimate, actor)
     values ($1, $2, $3, 'replace', '{campaign_daily}', '{}', $4, $4, $4, 1, '{}', 'u')`,
    [backfill, connection, daysAgo(2)],
  );
  await insert(
    `insert into payments (organization_id, id, app_id, source_id, name, customer_id_type, history_from, created_by, updated_at)
     select $1, $2, s.app_id, s.id, 'Stripe', 'email', $4, 'u', now() from connections c join sources s on s.id = c.source_id where c.id = $3`,
    [payment, connection, daysAgo(9)],
  );
  await insert(REVENUE, [payment, daysAgo(1), ['EUR']]);
  await insert(
    `insert into conversions (organization_id, id, name, target_app_id, target_account_id, target_name, target_settings, mapping, schedule, since, created_by, updated_at)
     select $1, $2, 'Orders', s.app_id, '1', 'Purchase', '{}', '{}', '{}', now(), 'u', now() from connections c join sources s on s.id = c.source_id where c.id = $3`,
    [conversion, connection],
  );
  await insert(
    `insert into conversion_counts (organization_id, conversion_id, day, state, events) values ($1, $2, $3, 'processed', 5)`,
    [conversion, daysAgo(1)],
  );
  await insert(
    `insert into alerts (organization_id, id, kind, subject_type, subject_id, failure_class, code, message, action)
     values ($1, $2, 'connection.failing', 'connection', $3, 'data', 'c', 'm', 'a')`,
    [randomUUID(), connection],
  );
  await insert(
    `insert into subscriptions (organization_id, customer_email) values ($1, 'a@b.example') on conflict do nothing`,
    [],
  );
  await app.get(ConnectionFacts).refreshAll();
  return { payment };
}

describe('the reporting views', () => {
  it('contain nothing of a deleted organization', async () => {
    await addObjects(organization);
    const views = await app.database.query<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'reporting' and column_name = 'organization_id' order by 1`,
    );
    const filled = async () => {
      const counts = await Promise.all(
        views.map(async ({ name }) => {
          const rows = await read(`select from reporting.${name} where organization_id = $1`, [organization.id]);
          return rows.length > 0 ? [name] : [];
        }),
      );
      return counts.flat();
    };
    expect(await filled()).toEqual(views.map(({ name }) => name));
    expectStatus(await organization.call.delete(`${organization.path}?confirmName=Northwind`), 204);
    expect(await filled()).toEqual([]);
  });

  it('say that the cost of a payment is revenue', async () => {
    const [row] = await app.database.query<{ comment: string }>(
      `select col_description('reporting.daily_rows_v1'::regclass, attnum) as comment from pg_attribute
        where attrelid = 'reporting.daily_rows_v1'::regclass and attname = 'cost'`,
    );
    expect(row?.comment).toContain('revenue');
  });
});

describe('the sample queries', () => {
  it('list at the end of a month only the currencies of its last day', async () => {
    const { payment } = await addObjects(organization);
    const add = (day: string, currencies: string[]) => app.database.query(REVENUE, [organization.id, payment, day, currencies]);
    await add('2026-03-29', ['EUR', 'USD']);
    await add('2026-03-30', ['EUR']);
    await add('2026-04-02', ['EUR', 'USD']);
    const rows = await read(sample('recurring_revenue_v1'));
    expect(
      rows
        .filter((row) => row['payment_id'] === payment && row['day'] < new Date('2026-05-01'))
        .map(({ day, currency }) => `${(day as Date).getMonth() + 1}/${(day as Date).getDate()} ${currency}`),
    ).toEqual(['3/30 EUR', '4/2 EUR', '4/2 USD']);
  });

  it.each([
    ['conversions', 'conversion_funnel_v1', 'name', 'Orders'],
    ['connections by health', 'c.health', 'name', 'Northwind'],
  ])('do not add up %s of the same name in different organizations', async (_what, part, column, name) => {
    const query = sample(part);
    const before = (await read(query)).filter((row) => row[column] === name).length;
    await addObjects(organization);
    organization = await anOrganization(app);
    await addObjects(organization);
    expect((await read(query)).filter((row) => row[column] === name).length - before).toBe(2);
  });
});
