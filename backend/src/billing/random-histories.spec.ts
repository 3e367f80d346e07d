import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { startTestApp, type TestApp } from '../../test/app.js';
import { countOf } from '../../test/counts.js';
import { aUser, eventually } from '../../test/factories.js';
import { deliver, signed, stripeSettings } from '../../test/stripe.js';
import { hasEnded, type ModelCustomer, StripeModel, type ModelSubscription } from '../../test/stripe-model.js';
import { ReconcileSubscriptions } from './reconcile-subscriptions.js';
import { SyncSubscription } from './sync-subscription.js';

const AT_ONCE = 250;
const ROUNDS = countOf(2, 8);
const SEQUENCES = 24;
const DAY_SECONDS = 86_400;
const STATUSES = ['incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused'];

/** One change at Stripe, and the delivery of its event. */
interface Step {
  kind: 'subscribe' | 'change' | 'renew' | 'cancel later' | 'cancel flexibly' | 'other price' | 'delete customer';
  status: string;
  /** Index of the customer's subscription. */
  which: number;
  delivery: 'at once' | 'twice' | 'late' | 'late and twice' | 'never';
  /** Whether the success page is opened just before, which also triggers a sync. */
  isLookedAt: boolean;
}

interface History {
  steps: Step[];
  /** Sort keys that determine the order of late events. */
  order: number[];
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('subscribe' as const) },
    { weight: 8, arbitrary: fc.constant('change' as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom('renew' as const, 'cancel later' as const, 'cancel flexibly' as const, 'other price' as const),
    },
    { weight: 1, arbitrary: fc.constant('delete customer' as const) },
  ),
  status: fc.constantFrom(...STATUSES),
  which: fc.nat(3),
  delivery: fc.constantFrom('at once', 'twice', 'late', 'late and twice', 'never'),
  isLookedAt: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const history: fc.Arbitrary<History> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 7 }),
  order: fc.array(fc.nat(1_000), { minLength: 16, maxLength: 16 }),
});

const stripe = new StripeModel();
let app: TestApp;
let owner: string;
let count = 0;

beforeAll(async () => {
  const settings = { ...stripeSettings(await stripe.start()), WORKER_CONCURRENCY: '12', DATABASE_POOL_SIZE: '24' };
  app = await startTestApp({ ROLE: 'all', ...settings });
  owner = (await aUser(app)).uid;
});
afterAll(async () => {
  await app?.stop();
  stripe.stop();
});

interface Case {
  organizationId: string;
  customer: ModelCustomer;
  history: History;
}

/** The expected state, derived from the state at Stripe. */
function expectedOf({ customer }: Case): object {
  const best = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete', 'canceled', 'incomplete_expired']
    .map((status) => customer.subscriptions.filter((subscription) => subscription.status === status).at(-1))
    .find(Boolean);
  return {
    hasCustomer: !customer.isDeleted,
    subscriptionId: best?.id ?? null,
    status: best?.status ?? 'none',
    priceId: best?.priceId ?? null,
    trialEnd: best?.trialEnd ?? null,
    periodEnd: (best?.cancelsAtPeriodEnd ? null : best?.cancelAt) ?? best?.periodEnd ?? null,
    cancelsAtPeriodEnd: best ? best.cancelsAtPeriodEnd || best.cancelAt !== null : false,
    hasGrace: best?.status === 'past_due',
    isClosedSince: best?.status === 'canceled' ? best.periodEnd : null,
    access: best && ['active', 'trialing'].includes(best.status) ? 'open' : best?.status === 'past_due' ? 'grace' : 'closed',
  };
}

async function storedOf(cases: Case[]): Promise<Map<string, object>> {
  const rows = await app.database.query<{ id: string; state: object }>(
    `select organization_id as id, json_build_object(
              'hasCustomer', customer_id is not null, 'subscriptionId', subscription_id, 'status', status, 'priceId', price_id,
              'trialEnd', extract(epoch from trial_ends_at)::int, 'periodEnd', extract(epoch from current_period_end)::int,
              'cancelsAtPeriodEnd', cancel_at_period_end, 'hasGrace', grace_ends_at is not null,
              'isClosedSince', case when status = 'canceled' then extract(epoch from closed_at)::int end,
              'access', case when status in ('trialing', 'active') then 'open' when grace_ends_at > now() then 'grace' else 'closed' end) as state
       from subscriptions where organization_id = any($1::uuid[])`,
    [cases.map(({ organizationId }) => organizationId)],
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** Cases whose stored state differs from Stripe's, with their history. */
async function differences(cases: Case[]): Promise<unknown[]> {
  const stored = await storedOf(cases);
  return cases
    .map((each) => ({ expected: expectedOf(each), stored: stored.get(each.organizationId), steps: each.history.steps }))
    .filter((each) => !isSame(each.expected, each.stored));
}
const isSame = (left: object, right: object | undefined): boolean => JSON.stringify(left) === JSON.stringify(right);

async function begin(histories: History[]): Promise<Case[]> {
  const cases = histories.map((each): Case => {
    const customer = { id: `cus_${(count += 1)}`, isDeleted: false, subscriptions: [] };
    stripe.customers.set(customer.id, customer);
    return { organizationId: randomUUID(), customer, history: each };
  });
  const ids = cases.map(({ organizationId }) => organizationId);
  await app.database.query(
    `insert into organizations (id, name, created_by, updated_at) select id, 'Northwind', $2, now() from unnest($1::uuid[]) id`,
    [ids, owner],
  );
  await app.database.query(
    `insert into subscriptions (organization_id, customer_id, customer_email)
     select id, customer, 'owner@example.com' from unnest($1::uuid[], $2::text[]) as fresh (id, customer)`,
    [ids, cases.map(({ customer }) => customer.id)],
  );
  return cases;
}

/** Applies a step. Returns false when nothing changes at Stripe; then there is no event. */
function happen(customer: ModelCustomer, { kind, status, which }: Step): boolean {
  const now = Math.floor(Date.now() / 1_000);
  const { subscriptions } = customer;
  if (customer.isDeleted) return false;
  if (kind === 'subscribe') {
    const id = `sub_${(count += 1)}`;
    const trialEnd = status === 'trialing' ? now + 14 * DAY_SECONDS : null;
    const rest = { trialEnd, periodEnd: now + 30 * DAY_SECONDS, cancelsAtPeriodEnd: false, cancelAt: null, priceId: 'price_1' };
    subscriptions.push({ id, status, created: now + subscriptions.length, ...rest });
    return true;
  }
  if (kind === 'delete customer') {
    customer.isDeleted = true;
    for (const each of subscriptions) if (!hasEnded(each)) each.status = 'canceled';
    return true;
  }
  const subscription = subscriptions[which % Math.max(1, subscriptions.length)];
  // An ended subscription does not change at Stripe.
  if (!subscription || hasEnded(subscription)) return false;
  change(subscription, kind, status);
  return true;
}

function change(subscription: ModelSubscription, kind: Step['kind'], status: string): void {
  if (kind === 'change') subscription.status = status;
  if (kind === 'renew') subscription.periodEnd += 30 * DAY_SECONDS;
  if (kind === 'cancel later') subscription.cancelsAtPeriodEnd = !subscription.cancelsAtPeriodEnd;
  if (kind === 'cancel flexibly') subscription.cancelAt = subscription.cancelAt === null ? subscription.periodEnd + 3_600 : null;
  if (kind === 'other price') subscription.priceId = subscription.priceId === 'price_1' ? 'price_2' : 'price_1';
}

/** Immediate events arrive during the next step. Late events arrive after the last step, in any order. */
async function live({ organizationId, customer, history: { steps, order } }: Case): Promise<void> {
  const sent: Promise<void>[] = [];
  const late: ReturnType<typeof signed>[] = [];
  for (const each of steps) {
    if (each.isLookedAt) sent.push(app.get(SyncSubscription).sync(organizationId));
    await new Promise((resolve) => setTimeout(resolve, each.which));
    if (!happen(customer, each)) continue;
    const event = anEvent(customer.id);
    const copies = each.delivery.endsWith('twice') ? [event, event] : [event];
    if (each.delivery.startsWith('late')) late.push(...copies);
    else if (each.delivery !== 'never') sent.push(...copies.map(send));
  }
  const sorted = late
    .map((event, index) => ({ event, place: order[index] ?? 0 }))
    .sort((left, right) => left.place - right.place);
  for (const { event } of sorted) sent.push(send(event));
  await Promise.all(sent);
}

const anEvent = (customer: string) =>
  signed({
    id: `evt_${(count += 1)}`,
    object: 'event',
    type: 'customer.subscription.updated',
    created: Math.floor(Date.now() / 1_000),
    data: { object: { object: 'subscription', customer } },
  });

async function send(event: ReturnType<typeof signed>): Promise<void> {
  const answer = await deliver(app, event);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`a webhook was answered with ${answer.status}`);
}

async function inLanes(cases: Case[]): Promise<void> {
  const waiting = [...cases];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await live(next);
  };
  await Promise.all(Array.from({ length: SEQUENCES }, lane));
}

const jobsDone = () =>
  eventually(
    () => app.database.query(`select 1 from graphile_worker.jobs where task_identifier = 'sync-subscription'`),
    (jobs) => jobs.length === 0,
  );

/** Whether the event of the last change was delivered. Then no nightly job is needed. */
function isLastEventDelivered({ history: { steps }, customer }: Case): boolean {
  const replay: ModelCustomer = { id: customer.id, isDeleted: false, subscriptions: [] };
  const changes = steps.filter((each) => happen(replay, each));
  return changes.length === 0 || changes.at(-1)?.delivery !== 'never';
}

describe('for any history of changes and event deliveries', () => {
  it('the stored state equals Stripe’s: immediately after the last event, or after the nightly job if that event is lost', async () => {
    let histories = 0;
    let corrected = 0;
    const property = fc.asyncProperty(fc.array(history, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (given) => {
      const cases = await begin(given);
      await inLanes(cases);
      await jobsDone();
      expect(await differences(cases.filter(isLastEventDelivered))).toEqual([]);
      corrected += (await differences(cases)).length;
      await app.get(ReconcileSubscriptions).reconcile();
      // The nightly job spreads its jobs over time. Here all are due now and run concurrently.
      await app.database.query(
        `update graphile_worker._private_jobs set run_at = now(), job_queue_id = null where run_at > now()`,
      );
      await jobsDone();
      expect(await differences(cases)).toEqual([]);
      histories += cases.length;
      await app.database.query('delete from stripe_events');
      await app.database.query('delete from subscriptions');
    });
    await fc.assert(property, { numRuns: ROUNDS, endOnFailure: true });
    process.stdout.write(`Billing: ${histories} histories, ${corrected} corrected by the nightly job\n`);
    expect(histories).toBeGreaterThanOrEqual(ROUNDS * AT_ONCE);
    // Otherwise the nightly job would not be tested.
    expect(corrected).toBeGreaterThan(countOf(0, 10));
  });
});
