import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, daysAgo } from '../../test/factories.js';
import { aStoredConnection, BERLIN } from '../../test/freshness.js';
import { completenessSql } from './completeness.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

interface Node {
  'Relation Name'?: string;
  'Actual Rows': number;
  Plans?: Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

it('reads only the days of the range from a history of three years', async () => {
  const organization = await anOrganization(app);
  const { id } = await aStoredConnection(app, organization, [BERLIN], { historyFrom: daysAgo(1_095) });
  await app.database.query(
    `insert into coverage (organization_id, connection_id, stream, account_id, day, state, rows, last_verified_at)
     select $1, $2, 'campaign_daily', $3, $4::date - ago, 'final', 100, now() from generate_series(1, 1095) ago`,
    [organization.id, id, BERLIN.id, daysAgo(0)],
  );
  await app.database.query('analyze');
  const parameters = [organization.id, [id], [daysAgo(14)], [daysAgo(1)]];
  const [plan] = await app.database.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `explain (analyze, format json) ${completenessSql}`,
    parameters,
  );
  const { Plan: root } = plan?.['QUERY PLAN'][0] ?? {};
  const scans = root ? nodesOf(root).filter((node) => node['Relation Name'] === 'coverage') : [];
  expect(scans.map((node) => node['Actual Rows'])).toEqual([14]);
});
