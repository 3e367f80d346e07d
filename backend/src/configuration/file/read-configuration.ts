import { Injectable } from '@nestjs/common';
import { Connectors } from '../../catalog/index.js';
import type { AdAccount, ProviderName } from '../../connectors/kit/contract.js';
import { readSelection, type SourceSelection } from '../../connectors/kit/source-selection.js';
import { destinationProviders } from '../../connectors/registry.js';
import type { TenantClient } from '../../core/database/tenant-database.js';
import { Problem } from '../../core/http/problem.js';
import type { App, AppState } from '../../generated/prisma/client.js';
import { MOST_ENTRIES } from './configuration-file.dto.js';
import { toConnection, toConversion } from './flow-entries.js';
import type { ConfiguredConnection, ConfiguredConversion, ConfiguredPayment } from './flows.dto.js';
import { byText, identityOf, numbered } from './identities.js';
import type { ConfiguredApp, ConfiguredDestination, ConfiguredRule, ConfiguredSource, ConfiguredWebhook } from './parts.dto.js';
import { accountsColumn } from '../../apps/index.js';

export type Reader = Pick<
  TenantClient,
  'app' | 'source' | 'destination' | 'connection' | 'conversion' | 'payment' | 'webhookEndpoint' | 'notificationRule'
>;

/** An existing item with its entry of the file. */
export interface Existing<Entry> {
  id: string;
  identity: string;
  version: number;
  entry: Entry;
}
export interface ExistingApp extends Existing<ConfiguredApp> {
  state: AppState;
  /** All accounts of the app, not only those that its sources read. */
  accountIds: string[];
  credentialTarget: unknown;
}
export interface ExistingConnection extends Existing<ConfiguredConnection> {
  sourceId: string;
  destinationId: string;
}

export interface Snapshot {
  apps: ExistingApp[];
  sources: Existing<ConfiguredSource>[];
  destinations: (Existing<ConfiguredDestination> & { appId: string })[];
  connections: ExistingConnection[];
  conversions: Existing<ConfiguredConversion>[];
  payments: Existing<ConfiguredPayment>[];
  webhooks: Existing<ConfiguredWebhook>[];
  rules: Existing<ConfiguredRule>[];
  /** How many exist, with those that a file does not contain. All of them count against the limits. */
  stored: { webhooks: number; rules: number };
}

const CURRENT = { where: { deletedAt: null }, orderBy: { id: 'asc' as const }, take: MOST_ENTRIES + 1 };
const byIdentity = <Entry>(left: Existing<Entry>, right: Existing<Entry>): number => byText(left.identity, right.identity);

/** Reads the configuration of an organization as entries of a file, sorted by identity. Secrets are not read. */
@Injectable()
export class ReadConfiguration {
  constructor(private readonly connectors: Connectors) {}

  async read(reader: Reader): Promise<Snapshot> {
    const sourceRows = await bounded(
      'sources',
      reader.source.findMany({ ...CURRENT, where: { deletedAt: null, payments: { none: {} } } }),
    );
    const appRows = await bounded(
      'apps',
      reader.app.findMany({ ...CURRENT, omit: { credentials: true }, include: { pushEndpoint: true } }),
    );
    const [numberedApp, appKey] = [numbered(), numbered()];
    const apps = appRows.map((row): ExistingApp => {
      const used = new Set(sourceRows.filter(({ appId }) => appId === row.id).flatMap(({ accountIds }) => accountIds));
      const identity = numberedApp(identityOf.app({ provider: row.provider, name: row.displayName }));
      const key = appKey(`${row.provider}/${row.displayName}`);
      const accountIds = accountsOf(row).map(({ externalId }) => externalId);
      const { id, version, state, credentialTarget } = row;
      return { id, identity, version, state, credentialTarget, accountIds, entry: toApp(row, key, used, row.pushEndpoint) };
    });
    const app = (id: string) => found(apps, id);
    const [numberedSource, sourceKey] = [numbered(), numbered()];
    const sources = sourceRows.map((row) => {
      const { identity, entry } = app(row.appId);
      return {
        ...{ id: row.id, version: row.version, identity: numberedSource(identityOf.source(identity, row.name)) },
        entry: {
          ...{ key: sourceKey(row.name), name: row.name, app: entry.key, accountIds: portable(entry.provider, row.accountIds) },
          settings: this.settingsOf(entry.provider, row.settings as Partial<SourceSelection>),
        },
      };
    });
    const [numberedDestination, destinationKey] = [numbered(), numbered()];
    const destinations = (await bounded('destinations', reader.destination.findMany(CURRENT))).map((row) => {
      const { entry } = app(row.appId);
      const settings = row.settings as Record<string, unknown>;
      return {
        ...{ id: row.id, version: row.version, appId: row.appId },
        identity: numberedDestination(identityOf.destination(entry.provider, row.name)),
        entry: { key: destinationKey(row.name), name: row.name, app: entry.key, settings },
      };
    });
    const parts = { apps, sources, destinations };
    return {
      apps: apps.sort(byIdentity),
      sources: sources.sort(byIdentity),
      destinations: destinations.sort(byIdentity),
      ...(await readFlows(reader, parts)),
      ...(await readNotifications(reader)),
    };
  }

  private settingsOf(provider: ProviderName, stored: Partial<SourceSelection>): SourceSelection {
    const selection = readSelection(this.connectors.findSource(provider)?.streams ?? [], stored);
    return { ...selection, breakdowns: selection.breakdowns.toSorted(byText), options: selection.options };
  }
}

async function readFlows(
  reader: Reader,
  { apps, sources, destinations }: Pick<Snapshot, 'apps' | 'sources' | 'destinations'>,
): Promise<Pick<Snapshot, 'connections' | 'conversions' | 'payments'>> {
  const connectionRows = await bounded(
    'connections',
    reader.connection.findMany({ ...CURRENT, where: { deletedAt: null, paymentId: null } }),
  );
  const numberedConnection = numbered();
  const connections = connectionRows.map((row): ExistingConnection => {
    const [source, destination] = [found(sources, row.sourceId), found(destinations, row.destinationId)];
    return {
      ...{ id: row.id, version: row.version, sourceId: row.sourceId, destinationId: row.destinationId },
      identity: numberedConnection(identityOf.connection(source.identity, destination.identity, row.name)),
      entry: toConnection(row, source.entry.key, destination.entry.key),
    };
  });
  const numberedConversion = numbered();
  const conversions = (await bounded('conversions', reader.conversion.findMany(CURRENT))).map((row) => ({
    ...{ id: row.id, version: row.version, identity: numberedConversion(identityOf.conversion(row.name)) },
    entry: toConversion(row, {
      app: row.sourceAppId && found(apps, row.sourceAppId).entry.key,
      destination: row.sourceDestinationId && found(destinations, row.sourceDestinationId).entry.key,
      target: found(apps, row.targetAppId).entry.key,
    }),
  }));
  const include = { connections: { where: { deletedAt: null }, select: { destinationId: true } } };
  const payments = (await bounded('payments', reader.payment.findMany({ ...CURRENT, include }))).map((row) => {
    const { identity, entry } = found(apps, row.appId);
    return {
      ...{ id: row.id, version: row.version, identity: identityOf.payment(identity) },
      entry: {
        ...{ name: row.name, app: entry.key, customerIdType: row.customerIdType, amountMode: row.amountMode },
        destinations: row.connections.map(({ destinationId }) => found(destinations, destinationId).entry.key).sort(byText),
        events: row.events.toSorted(byText) as ConfiguredPayment['events'],
        historyFrom: row.historyFrom.toISOString().slice(0, 10),
      },
    };
  });
  return {
    connections: connections.sort(byIdentity),
    conversions: conversions.sort(byIdentity),
    payments: payments.sort(byIdentity),
  };
}

async function readNotifications(reader: Reader): Promise<Pick<Snapshot, 'webhooks' | 'rules' | 'stored'>> {
  const [numberedWebhook, webhookKey, numberedRule] = [numbered(), numbered(), numbered()];
  const endpoints = await reader.webhookEndpoint.findMany({
    where: { kind: 'signed', deletedAt: null },
    orderBy: { id: 'asc' },
    omit: { secret: true },
  });
  const webhooks = endpoints.map(({ id, version, url, name, isEnabled }) => ({
    ...{ id, version, identity: numberedWebhook(identityOf.webhook(url ?? '')) },
    entry: { key: webhookKey(name), name, url: url ?? '', isEnabled },
  }));
  const rows = await reader.notificationRule.findMany({
    where: { channel: { not: 'slack' }, deletedAt: null },
    orderBy: { id: 'asc' },
  });
  // A mail to single members only has no recipient elsewhere.
  const withRecipients = rows.filter(({ channel, roles }) => channel !== 'mail' || roles.length > 0);
  const rules = withRecipients.map(({ id, version, channel, events, includesRecovery, roles, endpointId, isEnabled }) => {
    const webhook = endpointId && found(webhooks, endpointId);
    return {
      ...{ id, version, identity: numberedRule(identityOf.rule(channel, webhook && webhook.identity)) },
      entry: {
        ...{ channel: channel as ConfiguredRule['channel'], events: events.toSorted(byText) as ConfiguredRule['events'] },
        ...{ includesRecovery, roles: roles.toSorted(byText), webhook: webhook && webhook.entry.key, isEnabled },
      },
    };
  });
  const where = { deletedAt: null };
  const stored = {
    webhooks: await reader.webhookEndpoint.count({ where }),
    rules: await reader.notificationRule.count({ where }),
  };
  return { webhooks: webhooks.sort(byIdentity), rules: rules.sort(byIdentity), stored };
}

function toApp(
  row: Pick<App, 'provider' | 'displayName' | 'authMode' | 'accounts' | 'sourceDefaults'>,
  key: string,
  used: Set<string>,
  endpoint: { schema: unknown; dedupeField: string | null } | null,
): ConfiguredApp {
  const { provider, authMode } = row;
  const accounts = provider === 'custom' ? [] : accountsOf(row).filter(({ externalId }) => used.has(externalId));
  return {
    ...{ key, provider, name: row.displayName, authMode },
    roles: destinationProviders.all.includes(provider) ? ['destination'] : ['source'],
    accounts: accounts
      .map(({ externalId, name, currency, timeZone, status }) => ({ externalId, name, currency, timeZone, status }))
      .sort((left, right) => byText(left.externalId, right.externalId)),
    sourceDefaults: row.sourceDefaults as ConfiguredApp['sourceDefaults'],
    push: endpoint && { schema: endpoint.schema as Record<string, unknown> | null, dedupeField: endpoint.dedupeField },
  };
}

/** The account of a custom app is the app itself, whose id differs between installations. */
export const OWN_ACCOUNT = 'self';
const portable = (provider: ProviderName, accountIds: string[]): string[] =>
  provider === 'custom' ? [OWN_ACCOUNT] : accountIds.toSorted(byText);

const accountsOf = ({ accounts }: Pick<App, 'accounts'>): AdAccount[] => accountsColumn.get(accounts);

function found<Item extends { id: string }>(items: Item[], id: string): Item {
  const item = items.find((one) => one.id === id);
  // Composite foreign keys and checks before each deletion keep the parts of an item.
  if (!item) throw new Error(`the configuration refers to a missing item ${id}`);
  return item;
}

async function bounded<Row>(what: string, rows: Promise<Row[]>): Promise<Row[]> {
  const all = await rows;
  if (all.length <= MOST_ENTRIES) return all;
  throw new Problem('configuration.too_large', {
    detail: `The organization has more than ${MOST_ENTRIES} ${what}.`,
    action: 'Delete what is no longer used',
  });
}
