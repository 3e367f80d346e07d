import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { expectStatus } from '../../../test/factories.js';
import type { Caller } from '../../../test/http.js';
import { aTestOrganization, type TestOrganization } from '../../../test/permission-matrix/test-organization.js';
import type { RunDetail, RunLogPage } from './runs.dto.js';

const LINES = 620;

let app: TestApp;
let organization: TestOrganization;
let viewer: Caller;
let path: string;

beforeAll(async () => {
  app = await startTestApp();
  organization = await aTestOrganization(app, 'Log');
  viewer = app.http.as(organization.members.viewer);
  path = `/api/v1/organizations/${organization.organizationId}/runs`;
  await app.database.query(
    `insert into run_log_entries (organization_id, run_id, level, message, request)
     select $1, $2, (case when n % 100 = 0 then 'warn' else 'info' end)::log_level, 'Line ' || n,
            case when n % 7 = 0 then '{"method": "GET", "url": "https://example.com", "status": 200, "durationMs": 5, "providerRequestId": null}'::jsonb end
       from generate_series(1, ${LINES}) n`,
    [organization.organizationId, organization.values['runId']],
  );
});
afterAll(() => app?.stop());

const read = (query: string, runId = organization.values['runId']) => viewer.get<RunLogPage>(`${path}/${runId}/log?${query}`);

describe('the log of a run', () => {
  it('has all lines in pages, oldest first, without the requests', async () => {
    const messages: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = expectStatus(await read(`limit=100${cursor === null ? '' : `&cursor=${cursor}`}`), 200) as {
        body: RunLogPage;
      };
      messages.push(...body.items.map(({ message }) => message));
      cursor = body.nextCursor;
    } while (cursor !== null);
    const numbers = Array.from({ length: LINES }, (_, index) => index + 1).filter((n) => n % 7 !== 0);
    expect(messages).toEqual(numbers.map((n) => `Line ${n}`));
  });

  it('continues with older lines, newest first, before the lines that the run itself has', async () => {
    const { body: run } = expectStatus(await viewer.get<RunDetail>(`${path}/${organization.values['runId']}`), 200);
    const shown = new Set(run.log.map(({ position }) => position));
    expect(run.log.slice(0, 2).map(({ message }) => message)).toEqual(['Line 38', 'Line 39']);
    expect(shown.size).toBe(500);
    const { body } = expectStatus(await read(`order=newest&cursor=${run.olderLogCursor}`), 200);
    expect(body.items[0]?.message).toBe('Line 37');
    expect(body.items.at(-1)?.message).toBe('Line 1');
    expect(body.nextCursor).toBeNull();
    expect(body.items.filter(({ position }) => shown.has(position))).toEqual([]);
    expect(shown.size + body.items.length).toBe(LINES - Math.floor(LINES / 7));
  });

  it('accepts no cursor of the other order', async () => {
    const { body } = expectStatus(await read('order=newest&limit=1'), 200);
    expect(body.items[0]?.message).toBe(`Line ${LINES}`);
    expectStatus(await read(`order=oldest&cursor=${body.nextCursor}`), 400);
  });

  it('has the time and level of each line', async () => {
    const { body } = expectStatus(await read('limit=1'), 200);
    expect(body.items).toEqual([
      { position: expect.stringMatching(/^\d+$/), at: expect.stringMatching(/^2\d{3}-.*Z$/), level: 'info', message: 'Line 1' },
    ]);
  });

  it('is not found for a run of another organization', async () => {
    const other = await aTestOrganization(app, 'Other');
    expectStatus(await read('limit=1', other.values['runId']), 404);
  });

  it('accepts no cursor of another list', async () => {
    const { body } = expectStatus(await viewer.get<{ nextCursor: string }>(`${path}?limit=1`), 200);
    expect(body.nextCursor).toBeNull();
    const cursor = Buffer.from('["runs","2026-01-01T00:00:00.000Z","x"]').toString('base64url');
    expectStatus(await read(`cursor=${cursor}`), 400);
    const tooLarge = Buffer.from('["run-log","99999999999999999999"]').toString('base64url');
    expectStatus(await read(`cursor=${tooLarge}`), 400);
  });
});
