import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createDocument } from '../src/openapi.js';
import { listHandlers } from '../src/openapi/handlers.js';
import { listOperations, type OperationEntry } from '../src/openapi/schema.js';
import { startTestApp, type TestApp } from './app.js';
import { expectStatus } from './factories.js';
import { requestOf } from './permission-matrix/request.js';
import { aTestOrganization, type TestOrganization } from './permission-matrix/test-organization.js';
import { stripeSettings } from './stripe.js';
import { tokenFor } from './http.js';

/** Operations that change data without a subscription. Every other writing operation needs `@RequireSubscription()`. */
const OPEN: Record<string, string> = {
  ...reasons('users and their sign-in belong to no organization', [
    ...['getOrSaveUser', 'getUser', 'getIntercomHash', 'identifyUser', 'trackEvent', 'identifyUserWithOrganization'],
    ...['createOrganization', 'getPendingInvitation', 'acceptInvitation', 'rejectInvitation', 'disableUser', 'enableUser'],
  ]),
  ...reasons('only reads, although it is a documented POST', ['getTeamMembers', 'getSentInvitation', 'planConfiguration']),
  ...reasons('the organization and its members can always be managed', [
    ...[
      'updateOrganization',
      'updateSecurity',
      'deleteOrganization',
      'restoreOrganization',
      'transferOrganization',
      'leaveOrganization',
    ],
    ...[
      'updateMembership',
      'updateMember',
      'deleteMember',
      'removeMemberFromOrganization',
      'createInvitation',
      'resendInvitation',
    ],
    ...['revokeInvitation', 'sendInvitation', 'createApiKey', 'deleteApiKey'],
  ]),
  ...reasons('is part of the payment', [
    'createCustomer',
    'openCheckout',
    'openPortal',
    'refreshSubscription',
    'receiveStripeEvent',
    'receivePaymentEvent',
  ]),
  ...reasons('only a demo has it, which has no billing', ['causeDemoFault', 'repairDemo']),
  ...reasons('has its own key and checks the subscription itself', ['pushEvents']),
  ...reasons('is a request to platform staff, or its answer', ['updateSubmission', 'submitSubmission', 'moveSubmission']),
  ...reasons('deletes or stops', [
    ...['deleteDocument', 'deleteApp', 'deleteSource', 'deleteDestination', 'deleteConnection', 'pauseConnection', 'cancelRun'],
    ...['disconnectApp', 'takeBackShareLink', 'revokePushKey', 'deleteConversion', 'pauseConversion'],
    ...['pauseBackfill', 'cancelBackfill', 'deleteNotificationRule', 'deleteWebhook'],
    ...['deletePayment', 'pausePayment', 'deleteBadge'],
  ]),
  ...reasons('changes or checks existing resources without moving data', [
    ...['updateApp', 'probeApp', 'updateSource', 'updateDestination', 'recheckDestination', 'checkDestinationSettings'],
    ...['updateConnection', 'updateConversion', 'sendTestEvent', 'updatePushEndpoint', 'updateSourceDefaults'],
    ...['acknowledgeAlert', 'createNotificationRule', 'updateNotificationRule', 'createWebhook', 'updateWebhook'],
    ...['testWebhook', 'rotateWebhookSecret', 'redeliverWebhook', 'restoreWebhook', 'restoreNotificationRule'],
    ...['updatePayment', 'enterWebhookSecret'],
  ]),
};

function reasons(reason: string, operations: string[]): Record<string, string> {
  return Object.fromEntries(operations.map((operationId) => [operationId, reason]));
}

let app: TestApp;
let document: OpenAPIObject;
let organization: TestOrganization;
let paid: Set<string>;

beforeAll(async () => {
  // Stripe is never called here: an organization without a row has never paid.
  app = await startTestApp(stripeSettings('http://127.0.0.1:1'));
  document = await createDocument(app.nest);
  organization = await aTestOrganization(app, 'Closed');
  paid = new Set(listHandlers(app.nest).flatMap((handler) => (handler.needsSubscription ? [handler.operationId] : [])));
});
afterAll(() => app?.stop());

const idOf = ({ operation }: OperationEntry): string => operation.operationId ?? '';
const send = (entry: OperationEntry, token: string) => {
  const { method, path, body } = requestOf(entry, organization.values);
  const caller = app.http.withHeaders({ authorization: `Bearer ${token}` });
  return method === 'GET' ? caller.get(path) : caller.post(path, body);
};
const operation = (operationId: string) => listOperations(document).find((entry) => idOf(entry) === operationId)!;
const setStatus = (status: string) =>
  app.database.query(
    `insert into subscriptions (organization_id, customer_email, status) values ($1, 'owner@example.com', $2::subscription_status)
     on conflict (organization_id) do update set status = excluded.status, grace_ends_at = null`,
    [organization.organizationId, status],
  );

describe('every operation that writes', () => {
  it('requires a subscription, or is open for a listed reason', () => {
    const writing = listOperations(document).filter(
      (entry) => entry.method !== 'get' || idOf(entry) === 'deleteDocument' || paid.has(idOf(entry)),
    );
    const undecided = writing.filter((entry) => paid.has(idOf(entry)) === idOf(entry) in OPEN).map(idOf);
    expect(undecided).toEqual([]);
    expect(Object.keys(OPEN).filter((operationId) => !writing.some((entry) => idOf(entry) === operationId))).toEqual([]);
    expect(paid.size).toBeGreaterThanOrEqual(10);
  });
});

describe('a paid operation', () => {
  it('is rejected with 402 and one action for users and keys until payment', async () => {
    for (const operationId of paid) {
      for (const token of [tokenFor(organization.members.owner), organization.keys.owner]) {
        const { body } = expectStatus(await send(operation(operationId), token), 402);
        expect(body).toMatchObject({ code: 'subscription.required', action: 'Choose a plan' });
      }
    }
  });

  it('is rejected for pushed events with a valid key, and nothing is stored', async () => {
    const headers = { authorization: `Bearer ${organization.marker}` };
    const push = () =>
      fetch(`${app.url}/push/${organization.values['pushKeyId']}`, { method: 'POST', headers, body: '{"orderId": "A-1"}' });
    const answer = await push();
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 402,
      body: { code: 'subscription.required' },
    });
    const stored = () =>
      app.database.query('select 1 from push_events where organization_id = $1', [organization.organizationId]);
    expect(await stored()).toEqual([]);
    await setStatus('active');
    expect((await push()).status).toBe(202);
    expect(await stored()).toHaveLength(1);
    await setStatus('none');
  });

  it('is rejected because of the role first: a user without permission does not learn the billing state', async () => {
    expectStatus(await send(operation('createConnection'), tokenFor(organization.members.viewer)), 403);
  });

  it.each(['incomplete', 'incomplete_expired', 'past_due', 'canceled', 'unpaid', 'paused'])(
    'is rejected while the subscription is %s without a grace period, although existing data can be read',
    async (status) => {
      await setStatus(status);
      expectStatus(await send(operation('runConnection'), tokenFor(organization.members.owner)), 402);
      expectStatus(await send(operation('listConnections'), tokenFor(organization.members.viewer)), 200);
      const { body } = await send(operation('getConnection'), tokenFor(organization.members.viewer));
      expect(body).toMatchObject({ health: 'paused', healthReason: 'Waiting for a subscription', nextRunAt: null });
    },
  );

  it.each(['trialing', 'active'])('is accepted while the subscription is %s', async (status) => {
    await setStatus(status);
    expectStatus(await send(operation('runConnection'), tokenFor(organization.members.owner)), 202);
  });

  it('is accepted during the grace period and rejected after it', async () => {
    await setStatus('past_due');
    const graceEnds = (when: string) =>
      app.database.query(`update subscriptions set grace_ends_at = now() + $2::interval where organization_id = $1`, [
        organization.organizationId,
        when,
      ]);
    await graceEnds('1 hour');
    expectStatus(await send(operation('runConnection'), tokenFor(organization.members.owner)), 202);
    await graceEnds('-1 second');
    expectStatus(await send(operation('runConnection'), tokenFor(organization.members.owner)), 402);
  });
});

describe('the organization document', () => {
  const document = async () => {
    const path = `/api/getOrganizationData?documentId=${organization.organizationId}&type=organization`;
    return (await app.http.as(organization.members.viewer).get<{ data: { subscription: unknown } }>(path)).body.data.subscription;
  };

  it('has no subscription at first, and then shows its access', async () => {
    await setStatus('none');
    expect(await document()).toBeNull();
    await setStatus('canceled');
    expect(await document()).toEqual({ status: 'canceled', isBilled: true, access: 'closed' });
    await setStatus('active');
    expect(await document()).toEqual({ status: 'active', isBilled: true, access: 'open' });
  });
});
