import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anOrganization, eventually, expectStatus, type Organization } from '../../../test/factories.js';
import { type BilledApp, startBilledApp, subscribe } from '../../../test/stripe.js';
import type { Checkout, Subscription } from '../billing.dto.js';

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

const checkSession = (sessionId: string, of = organization) => of.call.get(`/billing/session-validity/${of.id}/${sessionId}`);
const isValid = async (sessionId: string, of = organization) =>
  expectStatus(await checkSession(sessionId, of), 200).body['isValid'];
const open = async () =>
  expectStatus(await organization.call.post<Checkout>(`${organization.path}/subscription/checkout`), 200).body;
const questionsAbout = (sessionId: string) => billed.stripe.countSessionQuestions(sessionId);
const times = <Result>(count: number, make: () => Promise<Result>) => Promise.all(Array.from({ length: count }, make));
/** Makes the last check of the session older than one minute. */
const passAMinute = () =>
  billed.app.database.query(
    `update checkout_sessions set asked_at = asked_at - interval '61 seconds' where organization_id = $1`,
    [organization.id],
  );

describe('Stripe is not queried for a checkout session', () => {
  it('of another organization', async () => {
    const other = await anOrganization(billed.app);
    const { sessionId } = await subscribe(other, billed.stripe);
    await open();
    const before = await questionsAbout(sessionId);
    expect(new Set(await times(20, () => isValid(sessionId)))).toEqual(new Set([false]));
    expect(await questionsAbout(sessionId)).toBe(before);
  });

  it('that was not opened by this product', async () => {
    await open();
    for (const id of ['cs_test_of_nobody', 'cs_test_a1b2c3', encodeURIComponent('../customers')]) {
      expect(await isValid(id)).toBe(false);
      expect(await questionsAbout(id)).toBe(0);
    }
  });

  it('that has already opened access', async () => {
    const { sessionId } = await subscribe(organization, billed.stripe);
    await eventually(
      async () => (await organization.call.get<Subscription>(`${organization.path}/subscription`)).body,
      ({ access }) => access === 'open',
    );
    const before = await questionsAbout(sessionId);
    expect(await isValid(sessionId)).toBe(true);
    expect(await questionsAbout(sessionId)).toBe(before);
  });

  it('more than once a minute while it is not paid', async () => {
    const { sessionId, url } = await open();
    const before = await questionsAbout(sessionId);
    expect(await isValid(sessionId)).toBe(false);
    expect(new Set(await times(30, () => isValid(sessionId)))).toEqual(new Set([false]));
    expect(await questionsAbout(sessionId)).toBe(before + 1);
    await billed.stripe.fault('webhooks_dropped');
    await billed.stripe.pay(url);
    expect(await isValid(sessionId)).toBe(false);
    await passAMinute();
    expect(await isValid(sessionId)).toBe(true);
    expect(await isValid(sessionId)).toBe(true);
    expect(await questionsAbout(sessionId)).toBe(before + 2);
  });

  it('more than once a minute while Stripe is down; a job detects the payment afterwards', async () => {
    await billed.stripe.fault('webhooks_dropped');
    const { sessionId } = await subscribe(organization, billed.stripe);
    const before = await questionsAbout(sessionId);
    await billed.stripe.fault('server_error', { resource: 'checkout' });
    for (const answer of [await checkSession(sessionId), ...(await times(10, () => checkSession(sessionId)))])
      if (answer.status !== 200) expect(expectStatus(answer, 503).headers.get('retry-after')).toMatch(/^\d+$/);
    // One request and one retry of the SDK.
    expect(await questionsAbout(sessionId)).toBeLessThanOrEqual(before + 2);
    await billed.stripe.clearFaults();
    await eventually(
      () => checkSession(sessionId),
      ({ status, body }) => status === 200 && body['isValid'] === true,
    );
  });

  it('twice for concurrent requests', async () => {
    await billed.stripe.fault('webhooks_dropped');
    const { sessionId } = await subscribe(organization, billed.stripe);
    const before = await questionsAbout(sessionId);
    await times(20, () => checkSession(sessionId));
    expect(await questionsAbout(sessionId)).toBe(before + 1);
    expect(await isValid(sessionId)).toBe(true);
  });
});
