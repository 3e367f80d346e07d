import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Database } from '../../src/core/database/database.js';
import { type Role, ROLES } from '../../src/access/policy.js';
import type { TestApp } from '../app.js';
import type { TestUser } from '../http.js';

/** An organization with one of each resource. */
export interface TestOrganization {
  /** Part of every text in it. If it is in a response to a user without access, data has leaked. */
  marker: string;
  organizationId: string;
  members: Record<Role, TestUser>;
  /** Values for calls, by the name of the parameter or field. */
  values: Record<string, string>;
  /** API keys by role. */
  keys: Record<Role, string>;
  revokedKey: string;
  expiredKey: string;
}

const day = new Date('2026-01-01T00:00:00.000Z');
const nextYear = () => new Date(Date.now() + 365 * 86_400_000);
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');
const newKey = (): string => `trb_${randomBytes(32).toString('base64url')}`;

export async function aTestOrganization(app: TestApp, name: string): Promise<TestOrganization> {
  const { prisma } = app.get(Database);
  const marker = `${name}-${randomBytes(6).toString('hex')}`;
  const organizationId = randomUUID();
  const members = Object.fromEntries(
    await Promise.all(ROLES.map(async (role) => [role, await aPerson(app, `${role}-of-${marker}`)])),
  ) as Record<Role, TestUser>;
  const owner = members.owner.uid;
  await prisma.organization.create({
    data: {
      id: organizationId,
      name: `${marker} organization`,
      createdBy: owner,
      members: { create: ROLES.map((role) => ({ userId: members[role].uid, role })) },
    },
  });
  const ids = await createResources(app, marker, organizationId, owner);
  const keys = Object.fromEntries(ROLES.map((role) => [role, newKey()])) as Record<Role, string>;
  const [revokedKey, expiredKey, shownKey] = [newKey(), newKey(), newKey()];
  const key = (role: Role, text: string, more: { id?: string; revokedAt?: Date; expiresAt?: Date } = {}) => ({
    ...keyRow({ marker, organizationId }, text, role, owner),
    ...more,
  });
  await prisma.apiKey.createMany({
    data: [
      ...ROLES.map((role) => key(role, keys[role])),
      key('viewer', shownKey, { id: ids.keyId }),
      key('owner', revokedKey, { revokedAt: day }),
      key('owner', expiredKey, { expiresAt: day }),
    ],
  });
  const values = { ...ids, ...spellings(organizationId, ids, members) };
  return { marker, organizationId, members, values, keys, revokedKey, expiredKey };
}

const keyRow = (
  { marker, organizationId }: Pick<TestOrganization, 'marker' | 'organizationId'>,
  text: string,
  role: Role,
  maker: string,
) => ({
  id: randomUUID(),
  organizationId,
  name: `${marker} key`,
  prefix: text.slice(0, 12),
  keyHash: hashOf(text),
  role,
  createdBy: maker,
  expiresAt: nextYear(),
});

/** A key that was not revoked when its creator was removed, demoted or disabled: the guard must still reject or limit it. */
export async function aKeyOf(app: TestApp, organization: TestOrganization, maker: TestUser, role: Role): Promise<string> {
  const text = newKey();
  await app.get(Database).prisma.apiKey.create({ data: keyRow(organization, text, role, maker.uid) });
  return text;
}

/** The same ids by the names that calls use. */
const spellings = (organizationId: string, ids: Record<string, string>, members: Record<Role, TestUser>) => ({
  organizationId,
  organization_id: organizationId,
  company_id: organizationId,
  documentId: organizationId,
  type: 'connection',
  key: ids['connectionId'] ?? '',
  memberId: members.viewer.uid,
  userId: members.viewer.uid,
});

export async function aPerson(
  app: TestApp,
  uid: string,
  given: { isDisabled?: boolean; isDeletedAtProvider?: boolean; isSignedOut?: boolean; isStaff?: boolean } = {},
): Promise<TestUser> {
  const email = `${uid.toLowerCase()}@example.com`;
  const { prisma } = app.get(Database);
  await prisma.user.create({
    data: {
      uid,
      email,
      fullName: `Name of ${uid}`,
      isEmailVerified: true,
      role: given.isStaff ? 'super_admin' : 'user',
      disabledAt: given.isDisabled ? day : null,
      disabledReason: given.isDeletedAtProvider ? 'identity_deleted' : null,
      tokensValidAfter: given.isSignedOut ? nextYear() : null,
    },
  });
  return { uid, email };
}

async function createResources(app: TestApp, marker: string, organizationId: string, owner: string) {
  const { prisma } = app.get(Database);
  const [appId, destinationAppId, sourceId, destinationId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const [submissionId, pushKeyId] = [randomUUID(), randomBytes(12).toString('base64url')];
  const [connectionId, runId, invitationId, keyId, logoId] = [
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ];
  const common = { organizationId, createdBy: owner };
  const account = {
    externalId: '9001000011',
    name: marker,
    currency: 'EUR',
    timeZone: 'UTC',
    managerId: null,
    status: 'enabled',
  };
  await prisma.app.createMany({
    data: [
      { ...common, id: appId, provider: 'google_ads', displayName: `${marker} app`, authMode: 'oauth2', state: 'connected', accounts: [account] },
      { ...common, id: destinationAppId, provider: 'postgresql', displayName: `${marker} login`, authMode: 'password', state: 'connected' },
    ],
  }); // prettier-ignore
  await prisma.organizationLogo.create({
    data: { organizationId, id: logoId, contentType: 'image/png', content: Buffer.from(marker) },
  });
  await prisma.submission.create({ data: { organizationId, id: submissionId, appId, title: marker, state: 'submitted' } });
  await prisma.pushEndpoint.create({ data: { organizationId, appId, keyId: pushKeyId, keyHash: hashOf(marker) } });
  await prisma.source.create({ data: { ...common, id: sourceId, appId, name: `${marker} source`, accountIds: ['9001000011'] } });
  const settings = {
    host: `${marker}.example.com`,
    port: 5432,
    database: 'd',
    schema: 's',
    user: 'u',
    sslMode: 'require',
    tablePrefix: '',
  };
  await prisma.destination.create({
    data: { ...common, id: destinationId, appId: destinationAppId, name: `${marker} destination`, settings },
  });
  await prisma.connection.create({
    data: {
      ...common, id: connectionId, sourceId, destinationId, name: `${marker} connection`, streams: ['campaign_daily'],
      schedule: { kind: 'manual', timeZone: 'UTC' }, historyFrom: day,
    },
  }); // prettier-ignore
  const schemaChangeId = randomUUID();
  await prisma.schemaChange.create({
    data: { organizationId, connectionId, id: schemaChangeId, stream: marker, kind: 'stream_added', isBreaking: false, runId },
  });
  const backfillId = randomUUID();
  await prisma.backfill.create({
    data: {
      organizationId, id: backfillId, connectionId, state: 'completed', mode: 'replace', streams: ['campaign_daily'],
      accountIds: ['9001000011'], requestedFrom: day, dayFrom: day, dayTo: day, chunkDays: 31, actor: marker, endedAt: day,
      estimate: { from: '2026-11-01', to: '2026-11-01', adjustedFrom: null, adjustedReason: null, accountDays: 1, apiCalls: 1, rows: 1, minutes: 1 },
    },
  }); // prettier-ignore
  const [paymentId, paymentAppId, paymentSourceId] = [randomUUID(), randomUUID(), randomUUID()];
  await prisma.app.create({
    data: {
      ...common,
      id: paymentAppId,
      provider: 'stripe',
      displayName: `${marker} shop`,
      authMode: 'api_key',
      state: 'connected',
    },
  });
  await prisma.source.create({ data: { ...common, id: paymentSourceId, appId: paymentAppId, name: `${marker} shop` } });
  await prisma.payment.create({
    data: {
      ...common, id: paymentId, appId: paymentAppId, sourceId: paymentSourceId, name: `${marker} payment`,
      events: ['payment_received'], customerIdType: 'email', historyFrom: day,
    },
  }); // prettier-ignore
  const [conversionId, eventId] = [randomUUID(), randomUUID()];
  await prisma.conversion.create({
    data: {
      ...common, id: conversionId, name: `${marker} conversion`, sourceDestinationId: destinationId, targetAppId: appId,
      targetAccountId: '9001000011', targetName: marker, targetSettings: {}, mapping: {}, since: day,
      schedule: { kind: 'manual', timeZone: 'UTC' },
    },
  }); // prettier-ignore
  await prisma.conversionEvent.create({
    data: { organizationId, conversionId, id: eventId, dedupeKey: marker, state: 'rejected', receivedOn: day, orderId: marker },
  });
  await prisma.run.create({
    data: {
      organizationId,
      id: runId,
      connectionId,
      kind: 'manual',
      trigger: 'user',
      actor: marker,
      state: 'succeeded',
      endedAt: day,
    },
  });
  const [alertId, ruleId] = [randomUUID(), randomUUID()];
  await prisma.alert.create({
    data: {
      organizationId, id: alertId, kind: 'connection.failing', subjectType: 'connection', subjectId: connectionId,
      failureClass: 'data', code: 'test', message: marker, action: marker,
    },
  }); // prettier-ignore
  await prisma.notificationRule.create({
    data: { organizationId, id: ruleId, channel: 'mail', events: ['connection.failing'], roles: ['owner'] },
  });
  const [endpointId, deliveryId] = [randomUUID(), randomUUID()];
  const host = 'hooks.example.com';
  await prisma.webhookEndpoint.create({
    data: {
      ...common,
      id: endpointId,
      kind: 'signed',
      name: `${marker} webhook`,
      url: `https://${host}/${marker}`,
      host,
      secret: marker,
    },
  });
  await prisma.webhookDelivery.create({
    data: { organizationId, id: deliveryId, endpointId, eventId: randomUUID(), event: 'alert.opened', payload: { marker } },
  });
  const badgeId = randomUUID();
  await prisma.freshnessBadge.create({
    data: { ...common, id: badgeId, connectionId, label: `${marker} badge`, tokenHash: hashOf(`${marker} badge`) },
  });
  await prisma.freshnessDay.create({
    data: { organizationId, connectionId, day, dueAt: day, checkAt: null, state: 'complete', completedAt: day },
  });
  await prisma.invitation.create({
    data: {
      organizationId, id: invitationId, email: `invited-${marker}@example.com`, role: 'viewer', tokenHash: hashOf(marker),
      inviterId: owner, expiresAt: nextYear(), mailId: randomUUID(),
    },
  }); // prettier-ignore
  return {
    ...{ submissionId, pushKeyId, appId, sourceId, destinationId, connectionId, runId, invitationId, keyId, logoId },
    ...{ conversionId, eventId, schemaChangeId, backfillId, alertId, ruleId, endpointId, deliveryId, paymentId, badgeId },
  };
}

const WATCHED = [
  'members',
  'apps',
  'app_share_links',
  'submissions',
  'submission_steps',
  'push_endpoints',
  'push_events',
  'push_receipts',
  'sources',
  'destinations',
  'connections',
  'schema_changes',
  'conversions',
  'conversion_events',
  'payments',
  'payment_webhook_events',
  'runs',
  'freshness_days',
  'freshness_badges',
  'backfills',
  'invitations',
  'alerts',
  'notification_rules',
  'webhook_endpoints',
  'webhook_deliveries',
];

/** All data of an organization that a rejected call must not change. */
export async function snapshot(app: TestApp, { organizationId }: TestOrganization): Promise<unknown> {
  const rows = await Promise.all(
    WATCHED.map((table) =>
      app.database.query(`select to_jsonb(t) as row from ${table} t where organization_id = $1 order by t::text`, [
        organizationId,
      ]),
    ),
  );
  const organization = await app.database.query('select to_jsonb(o) as row from organizations o where id = $1', [organizationId]);
  const keys = await app.database.query(
    `select to_jsonb(k) - 'last_used_at' as row from api_keys k where organization_id = $1 order by id`,
    [organizationId],
  );
  return { rows, organization, keys };
}
