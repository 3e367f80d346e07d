import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { aConnection, anOrganization, aUser, eventually, expectStatus } from '../../../test/factories.js';
import { type MailCatcher, mailsTo, startMailCatcher } from '../../../test/mail-catcher.js';
import { stripeSettings, StripeSandbox, subscribe } from '../../../test/stripe.js';
import { anInvitation } from '../../../test/teams.js';
import { ReconcileSubscriptions } from '../../billing/reconcile-subscriptions.js';
import { Outbox } from './outbox.js';

const HANGS_MS = 3_600_000;

let sandbox: Sandbox;
let warehouse: Warehouse;
let mail: MailCatcher;
let app: TestApp;

beforeAll(async () => {
  [sandbox, warehouse, mail] = await Promise.all([startSandbox(), startWarehouse(), startMailCatcher()]);
  app = await startTestApp({
    ...sandboxSettings(sandbox.url),
    CUSTOMER_IO_URL: `${sandbox.url}/customer-io/api/v1`,
    SMTP_URL: mail.smtpUrl,
    ROLE: 'all',
    WORKER_CONCURRENCY: '2',
  });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop(), mail?.stop()]);
});

it('an unresponsive analytics service delays neither runs nor mails, and receives all events once it responds', async () => {
  await sandbox.addFault({ provider: 'customer-io', fault: 'slow', delayMs: HANGS_MS });
  const organization = await anOrganization(app);
  const properties = { company_id: organization.id, error_message: 'seen in a browser' };
  for (let event = 0; event < 60; event += 1)
    expectStatus(await organization.call.post('/api/customerio/track', { eventName: 'Error Received', properties }), 200);
  const analytics = () =>
    app.database.query<{ state: string; count: number }>(
      `select state, count(*)::int as count from outbox_messages where kind = 'analytics' group by state order by state`,
    );
  await eventually(
    () => app.database.query(`select from outbox_messages where kind = 'analytics' and last_error like '%could not be reached%'`),
    (failed) => failed.length > 0,
  );

  const { email } = await aUser(app);
  await anInvitation(organization, email);
  const connection = await aConnection(organization, warehouse, { historyDays: 2, streams: ['campaign_daily'] });
  await eventually(
    () => organization.call.get(connection.path),
    ({ body }) => body['health'] === 'healthy',
  );
  await eventually(
    () => mailsTo(mail, email),
    (mails) => mails.length === 1,
  );
  expect((await analytics()).map(({ state }) => state)).toEqual(['queued']);

  await sandbox.clearFaults();
  await app.database.query(`update outbox_messages set next_attempt_at = now() where state = 'queued'`);
  await app.get(Outbox).deliverDue('analytics');
  await eventually(analytics, (states) => states.length === 1 && states[0]?.state === 'delivered');
});

it('an unresponsive Stripe API during the nightly job delays no mail', async () => {
  const billed = await startTestApp({
    ...stripeSettings(sandbox.url),
    SMTP_URL: mail.smtpUrl,
    ROLE: 'all',
    WORKER_CONCURRENCY: '2',
  });
  try {
    const organization = await anOrganization(billed);
    await subscribe(organization, new StripeSandbox(sandbox));
    expectStatus(await organization.call.post(`${organization.path}/subscription/refresh`), 200);
    const { email } = await aUser(billed);
    const customers = await Promise.all(Array.from({ length: 12 }, () => anOrganization(billed)));
    for (const { id, owner, call } of customers)
      expectStatus(await call.post('/billing/customer', { email: owner.email, organizationId: id, userId: owner.uid }), 200);
    await sandbox.addFault({ provider: 'stripe', fault: 'slow', delayMs: HANGS_MS });
    await billed.get(ReconcileSubscriptions).reconcile();
    // The nightly job spreads its requests over time. Here all are due now.
    await billed.database.query(`update graphile_worker._private_jobs set run_at = now() where run_at > now()`);
    const runningSyncs = () =>
      billed.database.query(
        `select from graphile_worker._private_jobs where locked_at is not null and key like 'sync-subscription:%'`,
      );
    await eventually(runningSyncs, (jobs) => jobs.length > 0);
    await anInvitation(organization, email);
    await eventually(
      () => mailsTo(mail, email),
      (mails) => mails.length === 1,
    );
    expect((await runningSyncs()).length).toBeLessThanOrEqual(1);
  } finally {
    await sandbox.clearFaults();
    await billed.stop();
  }
});
