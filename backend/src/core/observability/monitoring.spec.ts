import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { aPlatformScenario } from '../../../test/platform-scenario.js';
import { googleAds } from '../../../test/platforms.js';
import { freePort } from '../../../test/mail-catcher.js';
import { anOrganization } from '../../../test/factories.js';
import { newId } from '../database/identifiers.js';
import { Metrics } from './metrics.js';

const readDeployed = (file: string) => readFileSync(new URL(`../../../../deploy/monitoring/${file}`, import.meta.url), 'utf8');
const dashboard = JSON.parse(readDeployed('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
const rules = readDeployed('prometheus-alerts.yml');

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
let url: string;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  const port = await freePort();
  url = `http://127.0.0.1:${port}/metrics`;
  app = await startTestApp({ ROLE: 'all', METRICS_PORT: String(port), ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(() => sandbox.clearFaults());

const scrape = async () => (await fetch(url)).text();
const valueOf = (text: string, sample: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${sample} `))
      ?.split(' ')[1],
  );

describe('the dashboard and the alerting rules', () => {
  const used = (text: string) => new Set(text.match(/\b[a-z]+(?:_[a-z0-9]+){2,}\b|\b(?:runs_active|queue_jobs)\b/g) ?? []);
  const FUNCTIONS = new Set(['histogram_quantile']);

  it('alert when no process reports, because every other rule is then silent', () => {
    expect(rules).toMatch(
      /alert: TributaryDown\n +expr: absent\(queue_oldest_due_seconds\)\n +for: 5m\n +labels: \{ severity: critical \}/,
    );
  });

  it.each([
    ['dashboard', dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')],
    ['rules', rules.match(/expr: .*/g)?.join('\n') ?? ''],
  ])('use only metrics that the product has: %s', async (_name, expressions) => {
    const known = new Set(
      [...(await scrape()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
    const names = [...used(expressions)].filter((name) => !FUNCTIONS.has(name));
    expect(names.length).toBeGreaterThan(7);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});

it('counts a run by its state, while it is active and when it has ended', async () => {
  const scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  const sourceId = await scenario.aSource({});
  await scenario.fault('throttle', { retryDelaySeconds: 60 });
  const connection = await scenario.connect({ historyDays: 3, streams: ['campaign_daily'] }, sourceId);
  await scenario.waitingRun(connection);
  const waiting = await scrape();
  expect(valueOf(waiting, 'runs_active{state="waiting"}')).toBe(1);
  expect(valueOf(waiting, 'apps_paused_for_quota{provider="google_ads"}')).toBe(1);
  await sandbox.clearFaults();
  await scenario.makeWaitingRunsDue();
  await scenario.endedRun(connection);
  const ended = await scrape();
  expect(valueOf(ended, 'runs_ended_total{state="succeeded"}')).toBe(1);
  expect(ended).not.toContain('runs_active{state="waiting"}');
});

it('has no value of a gauge that could not be read, because 0 would look healthy', async () => {
  app.get(Metrics).addGauge({ name: 'unreadable_gauge', help: 'Of this test' }, () => Promise.reject(new Error('no database')));
  expect(valueOf(await scrape(), 'unreadable_gauge')).toBeNaN();
});

it('counts the worker processes that send heartbeats', async () => {
  await app.database.query(`insert into workers (id, description) values ('a', 'other pid 1'), ('b', 'other pid 1')`);
  await app.database.query(
    `insert into workers (id, description, heartbeat_at) values ('c', 'silent pid 1', now() - interval '16 seconds')`,
  );
  expect(valueOf(await scrape(), 'workers_alive')).toBe(2);
  const port = await freePort();
  const api = await startTestApp({ ROLE: 'api', METRICS_PORT: String(port) });
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await api.stop();
  expect(valueOf(text, 'workers_alive')).toBe(0);
  expect(rules).toMatch(/alert: TributaryNoWorkers\n +expr: max\(workers_alive\) == 0\n/);
});

it('does not count jobs as delayed that wait for another job of their queue', async () => {
  await app.database.query(
    `delete from graphile_worker._private_jobs where task_id in (select id from graphile_worker._private_tasks where identifier = 'unknown-task')`,
  );
  await app.database.query(
    `select graphile_worker.add_job('unknown-task', queue_name := 'queue-of-test', run_at := now() - interval '10 minutes')`,
  );
  await app.database.query(
    `update graphile_worker._private_job_queues set locked_at = now(), locked_by = 'a' where queue_name = 'queue-of-test'`,
  );
  expect(valueOf(await scrape(), 'queue_oldest_due_seconds')).toBeLessThan(500);
  await app.database.query(`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`);
  expect(valueOf(await scrape(), 'queue_oldest_due_seconds')).toBeGreaterThan(590);
});

it('does not count messages as delayed that wait for settings', async () => {
  const { id } = await anOrganization(app);
  await app.database.query(
    `insert into outbox_messages (organization_id, id, kind, name, content, next_attempt_at)
     values ($1, $2, 'mail', 'test', '', now() - interval '20 minutes')`,
    [id, newId()],
  );
  expect(await scrape()).not.toContain('outbox_oldest_due_seconds{kind="mail"}');
});

it('shows how long due jobs and webhooks have waited', async () => {
  await app.database.query(
    `insert into graphile_worker._private_tasks (identifier) values ('unknown-task') on conflict do nothing`,
  );
  await app.database.query(`select graphile_worker.add_job('unknown-task', run_at := now() - interval '10 minutes')`);
  const text = await scrape();
  expect(valueOf(text, 'queue_oldest_due_seconds')).toBeGreaterThan(590);
  expect(valueOf(text, 'queue_jobs{state="due"}')).toBeGreaterThanOrEqual(1);
  expect(valueOf(text, 'webhook_oldest_due_seconds')).toBe(0);
});
