import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { expectStatus } from '../../../test/factories.js';
import { aTestOrganization } from '../../../test/permission-matrix/test-organization.js';
import type { RunDetail, RunPage } from './runs.dto.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

it('counts the days that a run loads, each once, without the days between them', async () => {
  const { organizationId, values, members } = await aTestOrganization(app, 'Window');
  const viewer = app.http.as(members.viewer);
  const runId = values['runId'];
  await app.database.query('delete from run_slices where run_id = $1', [runId]);
  await app.database.query(`update runs set window_from = '2026-11-01', window_to = '2026-11-30' where id = $1`, [runId]);
  await app.database.query(
    `insert into run_slices (organization_id, id, run_id, stream, account_id, day_from, day_to)
     select $1, gen_random_uuid(), $2, stream, '1', day_from, day_to
       from (values ('campaign_daily', date '2026-11-01', date '2026-11-02'), ('ad_group_daily', '2026-11-02', '2026-11-03'),
                    ('campaign_daily', '2026-11-30', '2026-11-30')) s(stream, day_from, day_to)`,
    [organizationId, runId],
  );
  const window = { from: '2026-11-01', to: '2026-11-30', days: 4 };
  const path = `/api/v1/organizations/${organizationId}/runs`;
  expect(expectStatus(await viewer.get<RunDetail>(`${path}/${runId}`), 200).body.window).toEqual(window);
  const { items } = expectStatus(await viewer.get<RunPage>(path), 200).body;
  expect(items.find(({ id }) => id === runId)?.window).toEqual(window);
});
