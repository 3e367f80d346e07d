import { afterAll, beforeAll, expect, it } from 'vitest';
import { alertsOf } from '../../../test/alerts.js';
import { aDestination, anOrganization, type Organization } from '../../../test/factories.js';
import {
  aPayment,
  aStripeApp,
  getPayment,
  type PaymentScenario,
  settled,
  Shop,
  startPayments,
} from '../../../test/payments/scenario.js';
import { stripeSettings } from '../../../test/stripe.js';
import { CheckWebhooks } from './check-webhooks.js';

let scenario: PaymentScenario;
beforeAll(async () => {
  // The billing itself is never called here.
  const { STRIPE_API_URL: _, ...billing } = stripeSettings('');
  scenario = await startPayments(billing);
});
afterAll(() => scenario?.stop());

const setStatus = ({ id }: Organization, status: string) =>
  scenario.app.database.query(
    `insert into subscriptions (organization_id, customer_email, status) values ($1, 'owner@example.com', $2::subscription_status)
     on conflict (organization_id) do update set status = excluded.status`,
    [id, status],
  );

it('a lapsed subscription suspends the check of webhooks, which finds what it missed afterwards', async () => {
  const organization = await anOrganization(scenario.app);
  await setStatus(organization, 'active');
  const shop = await Shop.open(scenario.sandbox);
  const appId = await aStripeApp(organization, shop.key);
  const owner = { ...organization, shop, appId, destinationId: await aDestination(organization, scenario.warehouse) };
  const payment = await aPayment(owner);
  await settled(owner, payment.id);
  await setStatus(organization, 'canceled');
  await shop.run({ type: 'payment', amount: 500 });
  const checkAll = () => scenario.app.get(CheckWebhooks).checkAll(new AbortController().signal);
  const openAlerts = async () => (await alertsOf(owner, '?state=open')).items.map(({ kind }) => kind);
  await checkAll();
  expect(await openAlerts()).toEqual([]);
  expect(await getPayment(owner, payment.id)).toMatchObject({ health: 'paused', healthReason: 'Waiting for a subscription' });
  await setStatus(organization, 'active');
  await checkAll();
  expect(await openAlerts()).toEqual(['payment.webhook_missing']);
  await setStatus(organization, 'canceled');
  expect(await getPayment(owner, payment.id)).toMatchObject({ health: 'paused', healthReason: 'Waiting for a subscription' });
});
