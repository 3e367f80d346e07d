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

it('does not count messages as delayed that wait for settings', async () => {
  const { id } = await anOrganization(app);
  await app.database.query(
    `insert into outbox_messages (organization_id, id, kind, name, content, created_at)
     values ($1, $2, 'mail', 'test', '', now() - interval '20 minutes')`,
    [id, newId()],
  );
  expect(await scrape()).not.toContain('outbox_oldest_due_seconds{kind="mail"}');
});

/** A process that executes no jobs, so that they stay as the tests store them. */
describe('shows how long work has waited:', () => {
  const TASK = 'deliver-outbox';
  let api: TestApp;
  let scrapeApi: () => Promise<string>;
  beforeAll(async () => {
    const port = await freePort();
    // Nothing is sent: no worker runs.
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'tributary@example.com' };
    api = await startTestApp({ ROLE: 'api', METRICS_PORT: String(port), ...mail });
    scrapeApi = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await api.database.query(`insert into graphile_worker._private_tasks (identifier) values ($1) on conflict do nothing`, [
      TASK,
    ]);
  });
  afterAll(() => api?.stop());
  beforeEach(() => api.database.query('delete from graphile_worker._private_jobs'));

  const addJob = (task: string, queue: string | null = null) =>
    api.database.query(`select graphile_worker.add_job($1, queue_name := $2, run_at := now() - interval '10 minutes')`, [
      task,
      queue,
    ]);

  it('due jobs, but not those that wait for another job of their queue', async () => {
    await addJob(TASK, 'queue-of-test');
    await api.database.query(
      `update graphile_worker._private_job_queues set locked_at = now(), locked_by = 'a' where queue_name = 'queue-of-test'`,
    );
    expect(valueOf(await scrapeApi(), 'queue_oldest_due_seconds')).toBe(0);
    await api.database.query(`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`);
    const text = await scrapeApi();
    expect(valueOf(text, 'queue_oldest_due_seconds')).toBeGreaterThan(590);
    expect(valueOf(text, 'queue_jobs{state="due"}')).toBe(1);
  });

  it('not jobs of a later version, for which more workers would not help', async () => {
    await addJob('unknown-task');
    const text = await scrapeApi();
    expect(valueOf(text, 'queue_oldest_due_seconds')).toBe(0);
    expect(valueOf(text, 'queue_jobs{state="due"}')).toBe(0);
    expect(valueOf(text, 'queue_jobs{state="unknown"}')).toBe(1);
  });

  it('a scheduled job that does not end', async () => {
    await addJob('deliver-due-outbox', 'deliver-due-outbox');
    expect(await scrapeApi()).not.toContain('scheduled_job_running_seconds{');
    await api.database.query(
      `update graphile_worker._private_job_queues set locked_at = now() - interval '3 hours', locked_by = 'a' where queue_name = 'deliver-due-outbox'`,
    );
    expect(valueOf(await scrapeApi(), 'scheduled_job_running_seconds{job="deliver-due-outbox"}')).toBeGreaterThanOrEqual(10_800);
    expect(rules).toMatch(/alert: TributaryScheduledJobStuck\n +expr: max by \(job\) \(scheduled_job_running_seconds\) > 7200\n/);
  });

  it('mails, over all attempts', async () => {
    const { id } = await anOrganization(api);
    await api.database.query('delete from outbox_messages');
    await api.database.query(
      `insert into outbox_messages (organization_id, id, kind, name, content, attempts, state, created_at, next_attempt_at)
       select $1, unnest($2::uuid[]), 'mail', 'test', '', 7, unnest(array['queued', 'failed']::outbox_state[]),
              now() - interval '1 hour', now() + interval '10 minutes'`,
      [id, [newId(), newId()]],
    );
    const text = await scrapeApi();
    expect(valueOf(text, 'outbox_oldest_due_seconds{kind="mail"}')).toBeGreaterThanOrEqual(3_600);
    expect(valueOf(text, 'outbox_messages_failed{kind="mail"}')).toBe(1);
  });

  it('due deliveries to webhooks, but not failed attempts of a receiver', async () => {
    const { id } = await anOrganization(api);
    const endpointId = newId();
    expect(valueOf(await scrapeApi(), 'webhook_oldest_due_seconds')).toBe(0);
    await api.database.query(
      `insert into webhook_endpoints (id, organization_id, kind, name, host, secret, created_by)
       values ($1, $2, 'slack', 'Test', 'example.com', '', 'test')`,
      [endpointId, id],
    );
    await api.database.query(
      `insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, event, payload, attempts, created_at, next_attempt_at)
       values ($1, $2, $3, $4, 'alert.opened', '{}', 5, now() - interval '3 hours', now() + interval '10 minutes')`,
      [newId(), id, endpointId, newId()],
    );
    expect(valueOf(await scrapeApi(), 'webhook_oldest_due_seconds')).toBe(0);
    await api.database.query(`update webhook_deliveries set next_attempt_at = now() - interval '1 hour'`);
    expect(valueOf(await scrapeApi(), 'webhook_oldest_due_seconds')).toBeGreaterThanOrEqual(3_600);
  });
});
