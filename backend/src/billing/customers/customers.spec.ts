import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, expectStatus, type Organization } from '../../../test/factories.js';
import { type BilledApp, startBilledApp, stripeSettings } from '../../../test/stripe.js';

let billed: BilledApp;
let second: TestApp;

beforeAll(async () => {
  billed = await startBilledApp();
  second = await startTestApp({ DATABASE_URL: billed.app.database.url, ...stripeSettings(billed.sandbox.url) });
});
afterAll(async () => {
  await second?.stop();
  await billed?.stop();
});
afterEach(() => billed.stripe.clearFaults());

const create = (of: Organization) => of.call.post('/billing/customer', { organizationId: of.id });
const customersOf = async ({ id }: Organization) =>
  (await billed.stripe.client.customers.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })).filter(
    ({ metadata }) => metadata['organization_id'] === id,
  );

it('creates one customer for 100 concurrent requests to two processes while Stripe is slow', async () => {
  const here = await anOrganization(billed.app);
  const there = { ...here, call: second.http.as(here.owner) };
  await billed.stripe.fault('slow', { delayMs: 2_500 });
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => create(index % 2 === 0 ? here : there)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${String(body['customerId'])}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(200);
  await billed.stripe.clearFaults();
  expect(await customersOf(here)).toHaveLength(1);
});

describe('after Stripe failed with a 5xx', () => {
  it.each([
    ['before it created the customer', false],
    ['after it created the customer', true],
  ])('%s, the next request results in one customer', async (_when, isApplied) => {
    const organization = await anOrganization(billed.app);
    await billed.stripe.fault('fail_executing', { resource: 'customers', isApplied, times: 1 });
    expectStatus(await create(organization), 503);
    const { body } = expectStatus(await create(organization), 200);
    expect(await customersOf(organization)).toEqual([expect.objectContaining({ id: body['customerId'] })]);
  });
});
