import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addFailedConversionRuns, alertMailsOf, alertsOf, untilEventsDelivered } from '../../../test/alerts.js';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { anOrder, ConversionScenario } from '../../../test/conversions/scenario.js';
import { authorize, eventually, expectStatus } from '../../../test/factories.js';
import type { ConversionEntry } from '../conversions.dto.js';

const HOUR = 60;

let sandbox: Sandbox;
let app: TestApp;
let scenario: ConversionScenario;
let id: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  await sandbox.admin('data-manager/settings', { processingSeconds: 0 });
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  await sandbox.clearFaults();
  scenario = await ConversionScenario.create(app, sandbox);
  ({ id } = await scenario.conversion());
  await scenario.ran(id);
  // The successful run was before the failed ones.
  await app.database.query(
    `update conversion_runs set started_at = started_at - interval '30 days', ended_at = ended_at - interval '30 days'`,
  );
});

let orders = 0;
/** Google rejects the settings, not the event, which stays in the ledger. */
const breakGoogle = () => sandbox.admin('faults', { provider: 'data-manager', fault: 'service_disabled' });
const pushOrder = () => scenario.pushApp.push(anOrder({ orderId: `alert-${(orders += 1)}` }));
const path = () => `${scenario.organization.path}/conversions/${id}`;
const read = async () => (await scenario.organization.call.get<ConversionEntry>(path())).body;
const openKinds = async () => (await alertsOf(scenario.organization, '?state=open')).items.map(({ kind }) => kind);
const mails = async () => (await alertMailsOf(app, scenario.organization.id)).map(({ heading }) => heading);
/** As if everything that has happened were so many days ago. */
const age = (days: number) =>
  app.database.query(`update conversion_runs set ended_at = ended_at - make_interval(hours => $2) where conversion_id = $1`, [
    id,
    Math.round(days * 24),
  ]);
async function fail(): Promise<void> {
  await scenario.runDue(id);
  await untilEventsDelivered(app);
}

describe('a conversion whose runs fail', () => {
  beforeEach(async () => {
    await breakGoogle();
    await pushOrder();
    await eventually(read, ({ failure }) => failure !== null); // prettier-ignore
    await scenario.ran(id, 'failed');
  });

  it('opens one alert with class, cause and one action, notifies once, and recovers when a run succeeds', async () => {
    await fail();
    const { items, counts } = await alertsOf(scenario.organization);
    expect(items).toEqual([
      expect.objectContaining({
        kind: 'conversion.failing',
        state: 'open',
        subject: { type: 'conversion', id, name: 'Orders', paymentId: null },
        title: 'Orders is failing',
        class: 'config',
        code: 'google_data_manager.service_disabled',
        message: expect.stringMatching(/\w/),
        action: 'Contact the operator of this installation',
      }),
    ]);
    expect(counts).toEqual({ open: 1, acknowledged: 0, badge: 1 });
    expect(await mails()).toEqual(['Orders is failing']);
    const [mail] = await alertMailsOf(app, scenario.organization.id);
    expect(mail?.button).toEqual({
      label: 'Open the conversion',
      url: `http://localhost:3000/${scenario.organization.id}/conversion/${id}/configuration`,
    });

    await sandbox.clearFaults();
    await scenario.runDue(id);
    await untilEventsDelivered(app);
    expect(await openKinds()).toEqual([]);
    expect(await mails()).toEqual(['Orders is failing', 'Orders works again']);
  });

  it('is neither warned of nor paused below the limits', async () => {
    await addFailedConversionRuns(app, id, 17, HOUR / 4);
    await fail();
    expect(await openKinds()).toEqual(['conversion.failing']);
    expect(await read()).toMatchObject({ desired: 'active', pause: null });
  });

  it('is warned of once after 20 failed runs in a row, and paused once after 30', async () => {
    await addFailedConversionRuns(app, id, 18, 5);
    await fail();
    await fail();
    expect(await openKinds()).toEqual(['conversion.pause_pending', 'conversion.failing']);
    await addFailedConversionRuns(app, id, 8, 1);
    await fail();
    expect(await mails()).toEqual(['Orders is failing', 'Orders will be paused soon', 'Orders was paused automatically']);
    expect(await openKinds()).toEqual(['conversion.paused', 'conversion.failing']);
    expect(await read()).toMatchObject({
      desired: 'paused',
      nextRunAt: null,
      pause: { reason: 'failures', by: null, failure: { code: 'google_data_manager.service_disabled' } },
    });
    const { call, path: organizationPath } = scenario.organization;
    const audit = await call.get<{ items: object[] }>(`${organizationPath}/audit-events?action=conversion.paused`);
    expect(audit.body.items).toEqual([expect.objectContaining({ actorKind: 'system' })]);
    expect(Object.values(await scenario.outcomes(id))).toEqual(['queued']);
    expectStatus(await call.post(`${path()}/run`), 409);

    await sandbox.clearFaults();
    expectStatus(await call.post(`${path()}/resume`), 200);
    await eventually(openKinds, (kinds) => kinds.length === 0); // prettier-ignore
    expect(await read()).toMatchObject({ desired: 'active', pause: null });
    await eventually(() => scenario.outcomes(id), (outcomes) => Object.values(outcomes).includes('accepted')); // prettier-ignore
  });

  it('is warned of, and recovers from both alerts with a notification when a run succeeds', async () => {
    await age(4.1);
    await fail();
    await sandbox.clearFaults();
    await scenario.runDue(id);
    await untilEventsDelivered(app);
    expect(await openKinds()).toEqual([]);
    expect((await mails()).slice(0, 2)).toEqual(['Orders is failing', 'Orders will be paused soon']);
    expect((await mails()).slice(2).toSorted()).toEqual(['Orders will not be paused', 'Orders works again']);
  });

  it('is paused after 7 days, however few runs failed', async () => {
    await age(3.9);
    await fail();
    expect(await openKinds()).toEqual(['conversion.failing']);
    await age(0.2);
    await fail();
    expect(await openKinds()).toEqual(['conversion.pause_pending', 'conversion.failing']);
    await age(3);
    await fail();
    expect(await read()).toMatchObject({ desired: 'paused', pause: { reason: 'failures' } });
  });

  it('that a user resumed is not paused again by the failures before', async () => {
    await addFailedConversionRuns(app, id, 29, 1);
    await fail();
    expect(await read()).toMatchObject({ desired: 'paused' });
    expectStatus(await scenario.organization.call.post(`${path()}/resume`), 200);
    await scenario.ran(id, 'failed', 32);
    await untilEventsDelivered(app);
    expect(await read()).toMatchObject({ desired: 'active', pause: null });
  });

  it('keeps its waits when more events are pushed, so that pushes do not pause it', async () => {
    const before = (await scenario.runs(id)).length;
    await pushOrder();
    await pushOrder();
    await untilEventsDelivered(app);
    const [job] = await app.database.query<{ minutes: number }>(
      `select extract(epoch from run_at - now())::int / 60 as minutes from graphile_worker.jobs where key = $1`,
      [`conversion:${id}`],
    );
    expect(job?.minutes).toBeGreaterThan(300);
    expect(await scenario.runs(id)).toHaveLength(before);
  });

  it('ends its alerts without a notification when it is deleted', async () => {
    await untilEventsDelivered(app);
    expectStatus(await scenario.organization.call.delete(path()), 204);
    await untilEventsDelivered(app);
    expect(await openKinds()).toEqual([]);
    expect(await mails()).toEqual(['Orders is failing']);
  });

  it('and that a user pauses says so, without a failure', async () => {
    expectStatus(await scenario.organization.call.post(`${path()}/pause`), 200);
    expect(await read()).toMatchObject({ pause: { reason: 'user', by: expect.any(String), failure: null } });
  });
});

it('a platform that does not answer is waited for, and counts as a failed run after eight attempts', async () => {
  await sandbox.admin('faults', { provider: 'data-manager', fault: 'unavailable' });
  await pushOrder();
  await scenario.ran(id, 'waiting');
  expect(await openKinds()).toEqual([]);
  await app.database.query('update conversions set failures = 7 where id = $1', [id]);
  await fail();
  expect(await openKinds()).toEqual(['conversion.failing']);
  expect((await scenario.runs(id))[0]).toMatchObject({ state: 'failed' });
});

it('a conversion that fails because of an ended sign-in has the alert of the app only, and resumes after the sign-in', async () => {
  await sandbox.addFault({ fault: 'revoke', user: 'demo@example.com' });
  await pushOrder();
  await eventually(openKinds, (kinds) => kinds.length > 0); // prettier-ignore
  await scenario.ran(id, 'failed');
  expect(await openKinds()).toEqual(['app.needs_reauth']);
  await app.database.query(
    `insert into conversion_runs (organization_id, id, conversion_id, state, failure, started_at, ended_at)
     select r.organization_id, gen_random_uuid(), r.conversion_id, r.state, r.failure, r.ended_at, r.ended_at
       from conversion_runs r, generate_series(1, 29) where r.conversion_id = $1 and r.state = 'failed'`,
    [id],
  );
  await fail();
  expect(await read()).toMatchObject({
    desired: 'paused',
    health: 'needs_reauth',
    pause: { reason: 'failures', failure: { class: 'auth' } },
  });
  await sandbox.clearFaults();
  expectStatus(await authorize(scenario.organization, scenario.googleAppId), 200);
  await eventually(read, ({ desired, health }) => desired === 'active' && health === 'healthy'); // prettier-ignore
  await untilEventsDelivered(app);
  expect(await openKinds()).toEqual([]);
});
