import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp } from '../../test/app.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../test/factories.js';
import { type BilledApp, startBilledApp, stripeSettings, subscribe } from '../../test/stripe.js';
import { ReconcileSubscriptions } from './reconcile-subscriptions.js';

let billed: BilledApp;
let organization: Organization;

beforeAll(async () => {
  billed = await startBilledApp();
});
afterAll(() => billed?.stop());
beforeEach(async () => {
  organization = await anOrganization(billed.app);
});
afterEach(() => billed.stripe.clearFaults());

const remove = async ({ call, path } = organization) => expectStatus(await call.delete(`${path}?confirmName=Northwind`), 204);
const untilEnding = (subscriptionId: string) =>
  eventually(
    () => billed.stripe.client.subscriptions.retrieve(subscriptionId),
    ({ status, cancel_at_period_end }) => cancel_at_period_end || status === 'canceled',
  );

const anotherSubscription = (customer: string) =>
  billed.stripe.client.subscriptions.create({ customer, items: [{ price: 'price_tributary_monthly' }] });

/** The last action changes the organization and queues the job in one transaction. */
async function expectQueuedWith(act: (theirs: Organization) => Promise<unknown>): Promise<void> {
  const withoutWorker = await startTestApp(stripeSettings(billed.sandbox.url));
  try {
    const theirs = await anOrganization(withoutWorker);
    expectStatus(await theirs.call.post('/billing/customer', { organizationId: theirs.id }), 200);
    await act(theirs);
    const [row] = await withoutWorker.database.query<{ isSame: boolean }>(
      `select o.xmin = j.xmin as "isSame" from organizations o, graphile_worker._private_jobs j
        where o.id = $1 and j.key = 'end-billing:' || $1`,
      [theirs.id],
    );
    expect(row).toEqual({ isSame: true });
  } finally {
    await withoutWorker.stop();
  }
}

it('cancels the subscription of a deleted organization that was not synced yet', async () => {
  await billed.stripe.fault('webhooks_dropped');
  const { subscriptionId } = await subscribe(organization, billed.stripe);
  await remove();
  await untilEnding(subscriptionId);
});

it('cancels every subscription of a deleted organization: unpaid ones immediately, others at the end of the period', async () => {
  const { customerId, subscriptionId } = await subscribe(organization, billed.stripe);
  const second = await anotherSubscription(customerId);
  const unpaid = await billed.stripe.client.subscriptions.create({
    customer: customerId,
    items: [{ price: 'price_tributary_monthly' }],
    payment_behavior: 'default_incomplete',
  });
  await billed.stripe.client.subscriptions.update(second.id, { cancel_at: Math.floor(Date.now() / 1_000) + 365 * 86_400 });
  await remove();
  for (const id of [subscriptionId, second.id, unpaid.id]) await untilEnding(id);
  expect((await billed.stripe.client.subscriptions.retrieve(unpaid.id)).status).toBe('canceled');
});

it('cancels subscriptions with an overdue payment immediately, also when they were ending, so that no retry is charged', async () => {
  const { customerId, subscriptionId } = await subscribe(organization, billed.stripe);
  const ending = await anotherSubscription(customerId);
  await billed.stripe.force(subscriptionId, 'past_due');
  await billed.stripe.force(ending.id, 'unpaid');
  await billed.stripe.client.subscriptions.update(ending.id, { cancel_at_period_end: true });
  await remove();
  for (const id of [subscriptionId, ending.id])
    await eventually(
      () => billed.stripe.client.subscriptions.retrieve(id),
      ({ status }) => status === 'canceled',
    );
});

it('a restore continues what the deletion canceled, and keeps what the owner had canceled before', async () => {
  const { customerId, subscriptionId } = await subscribe(organization, billed.stripe);
  const inAYear = Math.floor(Date.now() / 1_000) + 365 * 86_400;
  const later = await anotherSubscription(customerId);
  const canceled = await anotherSubscription(customerId);
  await billed.stripe.client.subscriptions.update(later.id, { cancel_at: inAYear, metadata: { note: 'kept' } });
  await billed.stripe.client.subscriptions.update(canceled.id, { cancel_at_period_end: true });
  await remove();
  for (const id of [subscriptionId, later.id]) await untilEnding(id);
  expectStatus(await organization.call.post(`${organization.path}/restore`), 200);
  for (const [id, cancelAt] of [
    [subscriptionId, null],
    [later.id, inAYear],
  ] as const)
    await eventually(
      () => billed.stripe.client.subscriptions.retrieve(id),
      ({ cancel_at, cancel_at_period_end, metadata }) =>
        cancel_at === cancelAt && !cancel_at_period_end && metadata['ended_by_deletion'] === undefined,
    );
  expect((await billed.stripe.client.subscriptions.retrieve(later.id)).metadata).toEqual({ note: 'kept' });
  expect((await billed.stripe.client.subscriptions.retrieve(canceled.id)).cancel_at_period_end).toBe(true);
});

it('queues the continuation in the transaction that restores the organization', () =>
  expectQueuedWith(async (theirs) => {
    await remove(theirs);
    expectStatus(await theirs.call.post(`${theirs.path}/restore`), 200);
  }));

it('expires the checkout session of a deleted organization', async () => {
  const { body } = await organization.call.post<{ sessionId: string }>(`${organization.path}/subscription/checkout`);
  await remove();
  await eventually(
    () => billed.stripe.client.checkout.sessions.retrieve(body.sessionId),
    ({ status }) => status === 'expired',
  );
});

it('queues the cancellation in the transaction that deletes the organization', () => expectQueuedWith(remove));

it('nightly job cancels subscriptions of deleted organizations', async () => {
  const { subscriptionId } = await subscribe(organization, billed.stripe);
  await billed.app.database.query('update organizations set deleted_at = now() where id = $1', [organization.id]);
  await billed.app.get(ReconcileSubscriptions).reconcile();
  await untilEnding(subscriptionId);
});
