import type { Health, Role, RunState } from '../lib/connection-state';

export type Provider = 'google_ads' | 'postgresql';

export interface RuntimeConfig {
  productName: string;
  firebase: { apiKey: string; authDomain: string; projectId: string };
  authEmulatorUrl: string | null;
  isDemo: boolean;
  demo: DemoAccess | null;
  sandboxUrl: string | null;
  mailUrl: string | null;
  build: string;
}

export interface DemoAccess {
  email: string;
  password: string;
  /** A PostgreSQL anyone may load into, when the instance has one. */
  warehouse?: (DestinationSettings & { password: string }) | null;
}

export interface UserRecord {
  email: string;
  fullName: string | null;
  uid: string;
  photoURL: string | null;
  role: 'user' | 'super_admin';
}

export interface OrganizationEntry {
  organizationId: string;
  companyName: string;
  logo: string | null;
  connectionsCount: number;
}

export interface OrganizationDocument {
  organization_id: string;
  company_name: string;
  company_logo: string | null;
  connections_count: number;
  subscription: unknown;
  role: Role;
}

export interface StreamColumn {
  name: string;
  type: string;
  description: string;
}

export interface CatalogStream {
  name: string;
  title: string;
  description: string;
  table: string;
  key: string[];
  lookbackReason: string;
  columns: StreamColumn[];
}

export interface Connector {
  provider: Provider;
  name: string;
  roles: ('source' | 'destination')[];
  category: 'advertising' | 'warehouse' | 'product_analytics';
  description: string;
  authMode: 'oauth2' | 'password';
  scopes: { scope: string; reason: string }[];
  settingsSchema: object | null;
  credentialsSchema: object | null;
  streams: CatalogStream[];
}

export interface AdAccount {
  externalId: string;
  name: string;
  currency: string;
  timeZone: string;
  managerId: string | null;
  status: 'enabled' | 'disabled' | 'closed';
}

export type FailureClass =
  'auth' | 'permission' | 'quota' | 'transient' | 'config' | 'schema' | 'destination' | 'data' | 'internal';

export interface Failure {
  class: FailureClass;
  code: string;
  message: string;
  action: string;
  providerRequestId: string | null;
}

export interface CheckItem {
  code: string;
  label: string;
  state: 'passed' | 'failed' | 'skipped';
  detail: string | null;
  action: string | null;
  durationMs: number;
}

export type AppState = 'draft' | 'authorizing' | 'connected' | 'expiring' | 'needs_reauth' | 'revoked' | 'disabled';

export interface App {
  id: string;
  provider: Provider;
  displayName: string;
  roles: ('source' | 'destination')[];
  authMode: 'oauth2' | 'password';
  state: AppState;
  credentialHint: string | null;
  grantedScopes: string[];
  missingScopes: string[];
  externalUser: string | null;
  accounts: AdAccount[];
  accountsListedAt: string | null;
  usedBy: { sources: number; destinations: number; connections: number };
  lastProbeAt: string | null;
  failure: Failure | null;
  accessExpiresAt: string | null;
  createdAt: string;
  updatedAt: string;
  version: number;
}

export interface Source {
  id: string;
  name: string;
  appId: string;
  appName: string;
  provider: Provider;
  accounts: AdAccount[];
  lookbackDays: number | null;
  state: 'ready' | 'needs_reauth' | 'needs_attention' | 'disabled';
  usedBy: number;
  earliestDataAt: string | null;
  latestDataAt: string | null;
  createdAt: string;
  version: number;
}

export interface DestinationSettings {
  host: string;
  port: number;
  database: string;
  schema: string;
  user: string;
  sslMode: string;
  tablePrefix?: string;
}

export interface Destination {
  id: string;
  name: string;
  appId: string;
  provider: Provider;
  settings: DestinationSettings;
  state: 'ready' | 'needs_reauth' | 'unreachable' | 'permission_denied' | 'disabled';
  lastCheck: { at: string; items: CheckItem[] } | null;
  failure: Failure | null;
  usedBy: number;
  createdAt: string;
  version: number;
}

export interface Schedule {
  kind: 'manual' | 'interval' | 'daily';
  everyMinutes?: number | null;
  atTime?: string | null;
  timeZone: string;
}

export interface ConnectionStream {
  name: string;
  isSelected: boolean;
  targetTable: string;
}

export type RunStep = 'plan' | 'extract' | 'stage' | 'load' | 'verify' | 'commit';

export interface RunProgress {
  runId: string;
  connectionId: string;
  state: RunState;
  step: RunStep | null;
  slicesDone: number;
  slicesTotal: number;
  rowsRead: number;
  rowsWritten: number;
  apiCalls: number;
  quotaWaitMs: number;
  resumeAt: string | null;
  startedAt: string | null;
  rowsPerSecond: number;
  updatedAt: string;
}

export interface Verify {
  rows: boolean;
  cost: boolean;
  expected: { rows: number; costMicros: string };
  found: { rows: number; costMicros: string };
}

export type RunKind = 'scheduled' | 'manual' | 'backfill' | 'catch_up' | 'repair' | 'test';

export interface RunSummary {
  id: string;
  connectionId: string;
  kind: RunKind;
  trigger: string;
  actor: string | null;
  window: { from: string; to: string };
  state: RunState;
  step: RunStep | null;
  slicesDone: number;
  slicesTotal: number;
  rowsRead: number;
  rowsWritten: number;
  rowsRejected: number;
  bytes: number;
  apiCalls: number;
  quotaWaitMs: number;
  resumeAt: string | null;
  failure: Failure | null;
  verify: Verify | null;
  queuedAt: string;
  startedAt: string | null;
  endedAt: string | null;
}

export interface RunSlice {
  id: string;
  stream: string;
  accountId: string;
  accountName: string;
  currency: string;
  from: string;
  to: string;
  state: 'pending' | 'running' | 'done' | 'failed' | 'skipped';
  attempts: number;
  rows: number;
  costMicros: string;
  failure: Failure | null;
}

export interface RunAttempt {
  n: number;
  startedAt: string;
  endedAt: string | null;
  failure: Failure | null;
}

export interface AccountVerification {
  accountId: string;
  accountName: string;
  currency: string;
  rowsExpected: number;
  rowsFound: number;
  costMicrosExpected: string;
  costMicrosFound: string;
  isEqual: boolean;
}

export interface LogLine {
  at: string;
  level: 'info' | 'warn' | 'error';
  message: string;
}

export interface ProviderRequest {
  at: string;
  method: string;
  url: string;
  status: number | null;
  durationMs: number;
  providerRequestId: string | null;
}

export interface Run extends RunSummary {
  attempts: RunAttempt[];
  slices: RunSlice[];
  verification: AccountVerification[];
  log: LogLine[];
  requests: ProviderRequest[];
}

export interface Connection {
  id: string;
  name: string;
  source: { id: string; name: string; provider: Provider; appId: string; accounts: AdAccount[] };
  destination: { id: string; name: string; provider: Provider; target: string };
  streams: ConnectionStream[];
  schedule: Schedule;
  lookbackDays: number | null;
  historyFrom: string;
  desired: 'active' | 'paused';
  health: Health;
  healthReason: string;
  failure: Failure | null;
  completeThrough: string | null;
  lastRun: RunSummary | null;
  activeRun: RunProgress | null;
  nextRunAt: string | null;
  rowsByDay: { day: string; rows: number | null }[];
  tags: string[];
  createdAt: string;
  version: number;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export interface ConnectionPage extends Page<Connection> {
  counts: Partial<Record<Health | 'all', number>>;
}

export interface Estimate {
  firstLoad: { days: number; slices: number; apiCalls: number; rows: number; minutes: number };
  eachMonth: { rows: number; apiCalls: number };
  lookbackDays: number;
  sample: { stream: string; columns: string[]; rows: (string | null)[][] } | null;
  checks: CheckItem[];
}

export type CoverageState = 'missing' | 'loading' | 'provisional' | 'final' | 'failed' | 'empty_confirmed' | 'restated';

export interface CoverageDay {
  date: string;
  state: CoverageState;
  rows: number;
  costMicros: string;
  revisions: number;
  lastChangedAt: string | null;
}

export interface Coverage {
  stream: string;
  from: string;
  to: string;
  accounts: { account: AdAccount; completeThrough: string | null; days: CoverageDay[] }[];
  summary: { expected: number; loaded: number; loading: number; toRepair: number };
}

export interface Completeness {
  isComplete: boolean;
  completeThrough: string | null;
  expected: number;
  loaded: number;
  missing: number;
  asOf: string;
}

export interface DailyTotals {
  currency: string | null;
  isMixedCurrency: boolean;
  days: { date: string; rows: number; costMicros: string; isProvisional: boolean }[];
}

export interface NewConnection {
  name: string;
  sourceId: string;
  destinationId: string;
  streams: string[];
  schedule: Schedule;
  lookbackDays?: number | null;
  historyFrom: string;
}
