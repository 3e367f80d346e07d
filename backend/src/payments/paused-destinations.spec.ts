import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addFailedRuns, alertMailsOf, alertsOf, untilEventsDelivered } from '../../test/alerts.js';
import { aDestination, expectStatus } from '../../test/factories.js';
import {
  aPayment,
  anOwner,
  getPayment,
  type Owner,
  type PaymentScenario,
  settled,
  startPayments,
} from '../../test/payments/scenario.js';
import { AutomaticPause } from '../connections/pausing/automatic-pause.js';
import type { PaymentEntry } from './payments.dto.js';

let scenario: PaymentScenario;
let owner: Owner;
let payment: PaymentEntry;
beforeAll(async () => {
  scenario = await startPayments();
});
afterAll(() => scenario?.stop());
beforeEach(async () => {
  owner = await anOwner(scenario);
  payment = await aPayment(owner);
  await settled(owner, payment.id);
});

const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  scenario.app.database.query<Row>(text, values);
const act = (action: string) =>
  owner.call.post<PaymentEntry & { code: string }>(`${owner.path}/payments/${payment.id}/${action}`);
const read = () => getPayment(owner, payment.id);
const firstConnection = () => payment.destinations[0]?.connectionId ?? '';
const openAlerts = async () => (await alertsOf(owner, '?state=open')).items;

async function addFailures(count: number): Promise<void> {
  // The successful runs were before the failed ones.
  await query(`update runs set queued_at = queued_at - interval '30 days' where connection_id = $1 and state = 'succeeded'`, [
    firstConnection(),
  ]);
  await addFailedRuns(scenario.app, firstConnection(), count, 1);
}
const check = () => scenario.app.get(AutomaticPause).check(owner.id, firstConnection(), new Date());

describe('a payment whose only destination was paused automatically', () => {
  beforeEach(async () => {
    await addFailures(30);
    await check();
    await untilEventsDelivered(scenario.app);
  });

  it('shows the pause with its cause, and starts no run', async () => {
    const cause = { code: 'google_ads.denied', action: 'Grant access' };
    expect(await read()).toMatchObject({
      ...{ desired: 'active', health: 'paused', healthReason: 'Paused after too many failed runs', failure: cause },
      destinations: [{ pause: { reason: 'failures', by: null, failure: cause } }],
    });
    expect(await act('run')).toMatchObject({ status: 409, body: { code: 'payment.paused' } });
  });

  it('is linked by the alert', async () => {
    expect(await openAlerts()).toMatchObject([{ kind: 'connection.paused', subject: { paymentId: payment.id } }]);
    const [mail] = await alertMailsOf(scenario.app, owner.id);
    expect(mail?.button).toMatchObject({
      label: 'Open the payment',
      url: expect.stringMatching(new RegExp(`/${owner.id}/payment/${payment.id}/configuration$`)),
    });
  });

  it('is resumed with a run, and is not paused again by the failures before', async () => {
    expectStatus(await act('resume'), 200);
    expect(await settled(owner, payment.id)).toMatchObject({ state: 'succeeded', trigger: 'resumed' });
    await untilEventsDelivered(scenario.app);
    expect(await read()).toMatchObject({ health: 'healthy', destinations: [{ pause: null }] });
    expect(await openAlerts()).toEqual([]);
    await addFailures(1);
    await check();
    expect(await read()).toMatchObject({ destinations: [{ pause: null }] });
  });

  it('is resumed also by switching it off and on', async () => {
    expectStatus(await act('pause'), 200);
    expect((await read()).destinations).toMatchObject([{ pause: { reason: 'user', by: expect.any(String), failure: null } }]);
    expectStatus(await act('resume'), 200);
    await settled(owner, payment.id);
    await addFailures(1);
    await check();
    expect(await read()).toMatchObject({ desired: 'active', destinations: [{ pause: null }] });
    expect(await openAlerts()).toEqual([]);
  });
});

describe('a destination that was paused because Stripe rejected the key', () => {
  const enterKey = async () => {
    await query(`update apps set state = 'needs_reauth' where id = $1`, [owner.appId]);
    const credentials = { apiKey: owner.shop.key };
    expectStatus(await owner.call.post(`${owner.path}/apps/${owner.appId}/credentials`, { credentials }), 200);
    await untilEventsDelivered(scenario.app);
  };
  beforeEach(async () => {
    await addFailures(30);
    await query(`update runs set failure = failure || '{"class": "auth"}' where connection_id = $1 and state = 'failed'`, [
      firstConnection(),
    ]);
    await check();
  });

  it('resumes when a key is entered', async () => {
    await enterKey();
    expect(await settled(owner, payment.id)).toMatchObject({ state: 'succeeded' });
    expect(await read()).toMatchObject({ destinations: [{ pause: null }] });
  });

  it('stays paused when a key is entered after a user paused the payment', async () => {
    expectStatus(await act('pause'), 200);
    await enterKey();
    expect(await read()).toMatchObject({ desired: 'paused', destinations: [{ pause: { reason: 'user' } }] });
  });

  it('stays paused with its payment also if an earlier release kept the cause', async () => {
    await query(`update payments set desired = 'paused', paused_at = now(), paused_by = $2 where id = $1`, [
      payment.id,
      owner.owner.uid,
    ]);
    await enterKey();
    expect(await read()).toMatchObject({ desired: 'paused', destinations: [{ health: 'paused' }] });
  });
});

describe('a payment with another destination that works', () => {
  it('shows and resumes the paused one', async () => {
    const second = await aDestination(owner, scenario.warehouse);
    const body = { version: payment.version, destinationIds: [owner.destinationId, second] };
    expectStatus(await owner.call.patch(`${owner.path}/payments/${payment.id}`, body), 200);
    await settled(owner, payment.id);
    await addFailures(30);
    await check();
    expectStatus(await act('run'), 202);
    await settled(owner, payment.id);
    expect(await read()).toMatchObject({
      ...{ health: 'paused', healthReason: 'Paused after too many failed runs', failure: { code: 'google_ads.denied' } },
      destinations: [{ health: 'paused' }, { health: 'healthy', pause: null }],
    });
    expectStatus(await act('resume'), 200);
    await settled(owner, payment.id);
    expect((await read()).destinations).toMatchObject([{ health: 'healthy' }, { health: 'healthy' }]);
  });
});
