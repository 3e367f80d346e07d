import { isRecord } from '~/lib/is-record';

/** SWR keys: the kind of resource, the organization, then ids and filters. Live updates use them to find the caches. */
export const keys = {
  me: () => ['me'] as const,
  policy: () => ['policy'] as const,
  deletedOrganizations: () => ['deleted-organizations'] as const,
  pendingInvitations: (email: string) => ['pending-invitations', email] as const,
  invitation: (id: string, userId: string | null) => ['invitation', id, userId] as const,
  document: (organizationId: string) => ['organization', organizationId] as const,
  profile: (organizationId: string) => ['profile', organizationId] as const,
  members: (organizationId: string) => ['members', organizationId] as const,
  sentInvitations: (organizationId: string) => ['sent-invitations', organizationId] as const,
  subscription: (organizationId: string) => ['subscription', organizationId] as const,
  usage: (organizationId: string) => ['usage', organizationId] as const,
  apiKeys: (organizationId: string) => ['api-keys', organizationId] as const,
  alerts: (organizationId: string, filter: object) => ['alerts', organizationId, filter] as const,
  notificationRules: (organizationId: string) => ['notificationRules', organizationId] as const,
  webhooks: (organizationId: string) => ['webhooks', organizationId] as const,
  webhookDeliveries: (organizationId: string, id: string) => ['webhookDeliveries', organizationId, id] as const,
  demo: () => ['demo'] as const,
  catalog: () => ['catalog'] as const,
  apps: (organizationId: string) => ['apps', organizationId] as const,
  app: (organizationId: string, id: string) => ['app', organizationId, id] as const,
  appImpact: (organizationId: string, id: string) => ['appImpact', organizationId, id] as const,
  appHistory: (organizationId: string, id: string) => ['appHistory', organizationId, id] as const,
  submission: (organizationId: string, appId: string) => ['submission', organizationId, appId] as const,
  pushEndpoint: (organizationId: string, appId: string) => ['pushEndpoint', organizationId, appId] as const,
  pushReceipts: (organizationId: string, appId: string) => ['pushReceipts', organizationId, appId] as const,
  sourceWindows: (organizationId: string, id: string) => ['sourceWindows', organizationId, id] as const,
  sources: (organizationId: string) => ['sources', organizationId] as const,
  source: (organizationId: string, id: string) => ['source', organizationId, id] as const,
  destinations: (organizationId: string) => ['destinations', organizationId] as const,
  destination: (organizationId: string, id: string) => ['destination', organizationId, id] as const,
  destinationTables: (organizationId: string, id: string) => ['destinationTables', organizationId, id] as const,
  connections: (organizationId: string, filter: object) => ['connections', organizationId, filter] as const,
  connection: (organizationId: string, id: string) => ['connection', organizationId, id] as const,
  coverage: (organizationId: string, connectionId: string, range: object) =>
    ['coverage', organizationId, connectionId, range] as const,
  completeness: (organizationId: string, connectionId: string) => ['completeness', organizationId, connectionId] as const,
  freshness: (organizationId: string, connectionId: string) => ['freshness', organizationId, connectionId] as const,
  freshnessOf: (organizationId: string, ids: string[]) => ['freshnessOf', organizationId, ids] as const,
  badge: (organizationId: string, connectionId: string | null) => ['badge', organizationId, connectionId] as const,
  daily: (organizationId: string, connectionId: string, range: object) => ['daily', organizationId, connectionId, range] as const,
  connectionAudit: (organizationId: string, connectionId: string) => ['connectionAudit', organizationId, connectionId] as const,
  backfills: (organizationId: string, connectionId: string) => ['backfills', organizationId, connectionId] as const,
  backfill: (organizationId: string, connectionId: string, id: string) => ['backfill', organizationId, connectionId, id] as const,
  backfillEstimate: <Body extends object>(organizationId: string, connectionId: string, body: Body) =>
    ['backfillEstimate', organizationId, connectionId, body] as const,
  resyncEstimate: (organizationId: string, connectionId: string, stream: string) =>
    ['resyncEstimate', organizationId, connectionId, stream] as const,
  connectionSchema: (organizationId: string, connectionId: string) => ['connectionSchema', organizationId, connectionId] as const,
  schemaChanges: (organizationId: string, connectionId: string) => ['schemaChanges', organizationId, connectionId] as const,
  restatements: <Filter extends object>(organizationId: string, connectionId: string, filter: Filter) =>
    ['restatements', organizationId, connectionId, filter] as const,
  settlingTimes: (organizationId: string, connectionId: string, stream: string) =>
    ['settlingTimes', organizationId, connectionId, stream] as const,
  reconciliation: (organizationId: string, connectionId: string) => ['reconciliation', organizationId, connectionId] as const,
  runs: (organizationId: string, connectionId: string) => ['runs', organizationId, connectionId] as const,
  runsInState: <State extends string>(organizationId: string, connectionId: string, state: State) =>
    ['runsInState', organizationId, connectionId, state] as const,
  run: (organizationId: string, id: string) => ['run', organizationId, id] as const,
  proof: (organizationId: string, connectionId: string, runId: string) => ['proof', organizationId, connectionId, runId] as const,
  conversions: (organizationId: string) => ['conversions', organizationId] as const,
  conversion: (organizationId: string, id: string) => ['conversion', organizationId, id] as const,
  conversionFunnel: (organizationId: string, id: string) => ['conversionFunnel', organizationId, id] as const,
  conversionRuns: (organizationId: string, id: string) => ['conversionRuns', organizationId, id] as const,
  conversionEvents: (organizationId: string, id: string, filter: object) =>
    ['conversionEvents', organizationId, id, filter] as const,
  olderConversionEvents: (organizationId: string, id: string, filter: object) =>
    ['olderConversionEvents', organizationId, id, filter] as const,
  conversionEvent: (organizationId: string, id: string, eventId: string) =>
    ['conversionEvent', organizationId, id, eventId] as const,
  conversionOrders: (organizationId: string, search: string) => ['conversionOrders', organizationId, search] as const,
  payments: (organizationId: string) => ['payments', organizationId] as const,
  payment: (organizationId: string, id: string) => ['payment', organizationId, id] as const,
  recurringRevenue: (organizationId: string, id: string) => ['recurringRevenue', organizationId, id] as const,
  conversionSources: (organizationId: string) => ['conversionSources', organizationId] as const,
  conversionTargets: <Account extends object>(organizationId: string, account: Account) =>
    ['conversionTargets', organizationId, account] as const,
  conversionPreview: <Rules extends object>(organizationId: string, rules: Rules) =>
    ['conversionPreview', organizationId, rules] as const,
  testSteps: (organizationId: string, testId: string) => ['testSteps', organizationId, testId] as const,
  streamVolumes: (organizationId: string, question: object) => ['streamVolumes', organizationId, question] as const,
  estimate: (organizationId: string, question: object) => ['estimate', organizationId, question] as const,
};

/** A filter for SWR's `mutate`: caches that depend on whether the user's email address is verified. */
export const isAboutOwnEmail = (key: unknown): boolean =>
  Array.isArray(key) && ['me', 'members', 'pending-invitations'].includes(String(key[0]));

export const isOrganizationDocument = (key: unknown): boolean => Array.isArray(key) && key[0] === 'organization';

type Kind = keyof typeof keys;

/** A filter for SWR's `mutate`: all caches of these kinds in an organization. */
export const keysOf =
  (organizationId: string, ...kinds: Kind[]) =>
  (key: unknown): boolean =>
    Array.isArray(key) && kinds.includes(key[0] as Kind) && key[1] === organizationId;

const ABOUT_CONNECTION = [
  ...[
    'connection',
    'coverage',
    'completeness',
    'daily',
    'runs',
    'runsInState',
    'proof',
    'connectionAudit',
    'backfills',
    'backfill',
  ],
  ...['connectionSchema', 'schemaChanges'],
  ...['restatements', 'settlingTimes', 'reconciliation', 'freshness'],
];

/** A filter for SWR's `mutate`: all caches with data of one connection. */
export const keysAboutConnection =
  (organizationId: string, connectionId: string) =>
  (key: unknown): boolean => {
    if (!Array.isArray(key) || key[1] !== organizationId) return false;
    const isDetail = ABOUT_CONNECTION.includes(String(key[0]));
    return key[0] === 'connections' || key[0] === 'freshnessOf' || (isDetail && key[2] === connectionId);
  };

/** Caches of several conversions: their list and the found orders. */
const CONVERSION_LISTS = ['conversions', 'conversionOrders'];
const CONVERSION_DETAILS = [
  ...['conversion', 'conversionFunnel', 'conversionRuns', 'conversionEvents', 'conversionEvent'],
  // The older pages of the list, whose events change too: they are sent again, and the platform processes them.
  'olderConversionEvents',
];

/** A filter for SWR's `mutate`: all caches with data of one conversion. */
export const keysAboutConversion =
  (organizationId: string, conversionId: string) =>
  (key: unknown): boolean => {
    if (!Array.isArray(key) || key[1] !== organizationId) return false;
    const kind = String(key[0]);
    return CONVERSION_LISTS.includes(kind) || (CONVERSION_DETAILS.includes(kind) && key[2] === conversionId);
  };

/** What the live events of an organization update. The organization itself is missing after the user was removed from it. */
const LIVE_KINDS: readonly string[] = [
  'organization',
  ...['connections', 'freshnessOf', 'run', ...ABOUT_CONNECTION],
  ...['alerts', 'members', 'profile', 'sent-invitations', 'pushReceipts', 'pushEndpoint'],
  ...['payments', 'payment', 'recurringRevenue'],
  ...CONVERSION_LISTS,
  ...CONVERSION_DETAILS,
];

/** A filter for SWR's `mutate`: all caches that miss changes while the live events are interrupted. */
export const keysUpdatedLive =
  (organizationId: string) =>
  (key: unknown): boolean =>
    Array.isArray(key) && key[1] === organizationId && LIVE_KINDS.includes(String(key[0]));

const PAYMENT_DETAILS = ['payment', 'recurringRevenue'];

/** A filter for SWR's `mutate`: all caches with data of one payment. */
export const keysAboutPayment =
  (organizationId: string, paymentId: string) =>
  (key: unknown): boolean => {
    if (!Array.isArray(key) || key[1] !== organizationId) return false;
    return key[0] === 'payments' || (PAYMENT_DETAILS.includes(String(key[0])) && key[2] === paymentId);
  };

export const hasItems = (value: unknown): value is { items: { id: string }[] } => isRecord(value) && Array.isArray(value.items);
