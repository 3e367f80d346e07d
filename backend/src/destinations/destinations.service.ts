import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { Alerts } from '../alerts/index.js';
import { AnalyticsService, whatHappened } from '../analytics/index.js';
import { AppsService, assertNotDeletedIn, AuthorizedApps, ProviderBudget, RestoreAppUser } from '../apps/index.js';
import { AuditService } from '../audit/index.js';
import { Connectors } from '../catalog/index.js';
import type { CredentialTarget, DestinationCredentials, DestinationConnector } from '../connectors/kit/connector.js';
import type { CheckItem, ConnectorContext, Destination, ProviderName } from '../connectors/kit/contract.js';
import type { FixSettings } from '../connectors/kit/errors.js';
import { Prisma } from '../generated/prisma/client.js';
import { DeleterService } from '../organizations/index.js';
import type { CheckEntry, Failure } from '../core/http/failure.dto.js';
import { asProblem, toFailure } from '../core/http/failures.js';
import { newId } from '../core/database/identifiers.js';
import { notFound, Problem, versionConflict } from '../core/http/problem.js';
import { type TenantQuery, TenantDatabase, type TenantTransaction } from '../core/database/tenant-database.js';
import { databaseNow, DomainEvents } from '../core/jobs/domain-events.js';
import { assertPassed, isPassed, lastCheck, noTest, toEntries, toEntry, verdictOf } from './check-outcome.js';
import { checkOpened, DestinationChecks } from './destination-checks.service.js';
import { parseCredentials, parseSettings, type Settings } from './destination-settings.js';
import type { CheckDestinationBody, CreateDestinationBody, DestinationCheck, UpdateDestinationBody } from './destinations.dto.js';
import { DestinationsQueries } from './destinations.queries.js';

@Injectable()
export class DestinationsService implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly queries: DestinationsQueries,
    private readonly apps: AppsService,
    private readonly access: AuthorizedApps,
    private readonly connectors: Connectors,
    private readonly audit: AuditService,
    private readonly deleters: DeleterService,
    private readonly analytics: AnalyticsService,
    private readonly events: DomainEvents,
    private readonly budget: ProviderBudget,
    private readonly checks: DestinationChecks,
    private readonly alerts: Alerts,
    private readonly restoring: RestoreAppUser,
  ) {}

  onModuleInit(): void {
    this.deleters.register('destination', { permission: 'destinations.write', delete: (actor, id) => this.delete(actor, id) });
  }

  /** Checks settings without saving them. */
  async check(actor: Actor, body: CheckDestinationBody): Promise<DestinationCheck> {
    // Unused if credentials are given too, but an unknown id is still an error.
    if (body.destinationId) await this.queries.getDestination(actor.organizationId, body.destinationId);
    if (body.appId) await this.apps.assertConnected(actor.organizationId, body.appId, body.provider);
    const connector = this.connectors.getDestination(body.provider);
    const given = parseSettings(connector, body.settings);
    const { items } = await this.settleAndCheck(actor, body.destinationId ?? null, connector, given, (settings) =>
      this.accessFor(actor.organizationId, connector, settings, body),
    );
    return { isPassed: isPassed(items), items: toEntries(items) };
  }

  /** Saves the destination after it passes its check, with a new app if credentials are given. */
  async create(actor: Actor, body: CreateDestinationBody): Promise<string> {
    const { organizationId } = actor;
    if (body.appId) await this.apps.assertConnected(organizationId, body.appId, body.provider);
    const connector = this.connectors.getDestination(body.provider);
    const given = parseSettings(connector, body.settings);
    const { settings, items } = await this.settleAndCheck(actor, null, connector, given, (settled) =>
      this.accessFor(organizationId, connector, settled, body),
    );
    assertPassed(items);
    const newApp = body.appId ? null : await this.appOf(actor, connector, settings, body.credentials);
    const destinationId = newId();
    await this.tenants.write(organizationId, async (transaction, query) => {
      if (newApp) await this.apps.createForDestinationIn(transaction, newApp);
      if (body.appId) await assertNotDeletedIn(query, body.appId);
      await transaction.destination.create({
        data: {
          id: destinationId,
          organizationId,
          appId: newApp?.id ?? String(body.appId),
          name: body.name,
          settings: settings as Prisma.InputJsonObject,
          lastCheck: lastCheck(items),
          createdBy: actor.uid,
        },
      });
      const event = whatHappened('Destination Created', actor, connector.provider);
      await this.analytics.raise(query, event);
      const target = { type: 'destination', id: destinationId, name: body.name };
      await this.audit.record(actor, { action: 'destination.created', target, after: { settings } }, query);
    });
    return destinationId;
  }

  async update(actor: Actor, destinationId: string, body: UpdateDestinationBody): Promise<void> {
    const { organizationId } = actor;
    const current = await this.queries.getDestination(organizationId, destinationId);
    const connector = this.connectors.getDestination(current.provider);
    const given = body.settings ? parseSettings(connector, body.settings) : current.settings;
    const typed = body.credentials ? parseCredentials(connector, body.credentials) : null;
    const { settings, items } = await this.settleAndCheck(actor, destinationId, connector, given, async (settled) =>
      typed
        ? { authMode: typed.kind.authMode, credentials: typed.credentials }
        : this.accessOf(organizationId, current.appId, settled),
    );
    assertPassed(items);
    const target = connector.credentialTarget(settings);
    const newApp =
      typed && (await this.servesElsewhere(organizationId, current, target))
        ? await this.appOf(actor, connector, settings, body.credentials)
        : null;
    await this.tenants.write(organizationId, async (transaction, query) => {
      if (newApp) await this.apps.createForDestinationIn(transaction, newApp);
      const { count } = await transaction.destination.updateMany({
        where: { id: destinationId, version: body.version, deletedAt: null },
        data: {
          name: body.name,
          appId: newApp?.id,
          settings: settings as Prisma.InputJsonObject,
          state: 'ready',
          failure: Prisma.DbNull,
          lastCheck: lastCheck(items),
          version: { increment: 1 },
        },
      });
      if (count === 0) throw versionConflict('destination');
      if (typed) await this.analytics.raise(query, whatHappened('Destination Reauthenticated', actor, current.provider));
      await this.recoverAlerts(query, organizationId, destinationId, typed && !newApp ? current.appId : null);
      const entry = {
        action: 'destination.updated',
        target: { type: 'destination', id: destinationId, name: body.name ?? current.name },
        before: { name: current.name, settings: current.settings },
        after: { name: body.name, settings },
      };
      await this.audit.record(actor, entry, query);
      if (typed && !newApp)
        await this.apps.credentialsEnteredIn(transaction, query, actor, current.appId, {
          credentials: await this.access.encryptCredentials(organizationId, current.appId, typed.credentials),
          credentialTarget: target,
          authMode: typed.kind.authMode,
          credentialHint: connector.describe(settings, typed.credentials).credentialHint,
          neededReauth: current.state === 'needs_reauth',
        });
      if (!isDeepStrictEqual(settings, current.settings)) await this.movedIn(query, actor, destinationId);
    });
  }

  async importIn(transaction: TenantTransaction, destination: Prisma.DestinationUncheckedCreateInput): Promise<void> {
    await transaction.destination.create({ data: destination });
  }

  async updateImportedIn(
    transaction: TenantTransaction,
    query: TenantQuery,
    actor: Actor,
    id: string,
    columns: Pick<Prisma.DestinationUncheckedUpdateInput, 'settings' | 'state' | 'failure'>,
  ): Promise<void> {
    const data = { ...columns, lastCheck: Prisma.DbNull, version: { increment: 1 } };
    await transaction.destination.update({ where: { id }, data });
    await this.movedIn(query, actor, id);
  }

  /** Its loaded rows may be elsewhere now. */
  private async movedIn(query: TenantQuery, { organizationId, uid }: Actor, destinationId: string): Promise<void> {
    const changedAt = await databaseNow(query);
    await this.events.emit(query, 'destination.moved', { organizationId, destinationId, actor: uid, changedAt });
  }

  restore(actor: Actor, destinationId: string): Promise<void> {
    return this.restoring.restore(actor, 'destination', destinationId, ({ destination }) =>
      destination.update({ where: { id: destinationId }, data: { deletedAt: null }, select: { id: true } }),
    );
  }

  async delete(actor: Actor, destinationId: string): Promise<void> {
    const { usedBy, name, appId, provider } = await this.queries.getDestination(actor.organizationId, destinationId);
    if (usedBy > 0) {
      throw new Problem('destination.in_use', {
        detail: `${name} is used by ${usedBy === 1 ? 'a connection or conversion' : `${usedBy} connections and conversions`}.`,
        action: 'Delete them first',
      });
    }
    const { organizationId } = actor;
    await this.tenants.write(organizationId, async (transaction, query) => {
      const { count } = await transaction.destination.updateMany({
        where: { id: destinationId, deletedAt: null },
        data: { deletedAt: new Date() },
      });
      if (count === 0) throw notFound('The destination');
      await this.analytics.raise(query, whatHappened('Destination Deleted', actor, provider));
      await this.alerts.close(query, destinationId);
      const target = { type: 'destination', id: destinationId, name };
      await this.audit.record(actor, { action: 'destination.deleted', target }, query);
      await this.apps.deleteUnusedIn(transaction, query, actor, appId);
    });
  }

  /** Checks a saved destination and stores the result. */
  async recheck(actor: Actor, destinationId: string): Promise<void> {
    const { organizationId } = actor;
    const { provider, settings, appId } = await this.queries.getDestination(organizationId, destinationId);
    const connector = this.connectors.getDestination(provider);
    const { items } = await this.settleAndCheck(actor, destinationId, connector, settings, (settled) =>
      this.accessOf(organizationId, appId, settled),
    );
    const verdict = verdictOf(provider, items);
    await this.tenants.write(organizationId, async (transaction, query) => {
      await transaction.destination.update({
        where: { id: destinationId },
        data: {
          lastCheck: lastCheck(items),
          ...(verdict && { state: verdict.state, failure: verdict.failure ? { ...verdict.failure } : Prisma.DbNull }),
        },
      });
      if (verdict) await this.setAlert(query, organizationId, destinationId, verdict.failure);
    });
  }

  /** Sends one visible test event if the destination accepts events. */
  async sendTest(organizationId: string, destinationId: string): Promise<CheckEntry> {
    const { provider, settings, appId } = await this.queries.getDestination(organizationId, destinationId);
    const connector = this.connectors.getDestination(provider);
    if (!connector.sendTest) return noTest(connector.name);
    const access = await this.accessOf(organizationId, appId, settings);
    try {
      const send = async ({ signal }: ConnectorContext) => {
        const context = this.budget.contextOf(organizationId, provider, signal);
        return connector.sendTest ? connector.sendTest(settings, access, context) : noTest(connector.name);
      };
      return toEntry(await this.checks.run(organizationId, send, connector.checkTimeoutMs));
    } catch (error) {
      throw asProblem(error);
    }
  }

  async checkSaved(organizationId: string, destinationId: string): Promise<CheckEntry[]> {
    const destination = await this.open(organizationId, destinationId);
    const { checkTimeoutMs } = this.connectors.getDestination(destination.provider);
    return toEntries(await this.checks.run(organizationId, (context) => checkOpened(destination, context), checkTimeoutMs));
  }

  /** Runs work that connects to a destination while a user waits, within the limits of checks. */
  runLimited<Result>(organizationId: string, timeoutMs: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.checks.run(organizationId, ({ signal }) => work(signal), timeoutMs);
  }

  /** Opens the destination for writing; the caller closes it. */
  async open(organizationId: string, destinationId: string): Promise<Destination> {
    const { provider, settings, appId } = await this.queries.getDestinationToOpen(organizationId, destinationId);
    const access = await this.access.openDestinationCredentials(organizationId, appId, settings);
    return this.connectors.getDestination(provider).open(settings, access);
  }

  /** The credentials of a destination, for a conversion that reads from it. */
  async openCredentials(
    organizationId: string,
    destinationId: string,
  ): Promise<{ provider: ProviderName; settings: Settings; access: DestinationCredentials }> {
    const { provider, settings, appId } = await this.queries.getDestinationToOpen(organizationId, destinationId);
    return { provider, settings, access: await this.access.openDestinationCredentials(organizationId, appId, settings) };
  }

  /**
   * A run found a wrong setting that only a user can correct.
   * @param version the destination that the run used; nothing happens if a user has changed it since
   */
  async markBroken(organizationId: string, destinationId: string, version: number, error: FixSettings): Promise<void> {
    const state = error.failureClass === 'permission' ? 'permission_denied' : 'unreachable';
    const failure = toFailure(error);
    await this.tenants.write(organizationId, async (transaction, query) => {
      const { count } = await transaction.destination.updateMany({
        where: { id: destinationId, version, deletedAt: null },
        data: { state, failure: { ...failure } },
      });
      if (count > 0) await this.setAlert(query, organizationId, destinationId, failure);
    });
  }

  /** A run has written and verified rows: clears a problem found before the run began. A later problem stays. */
  async markWorking(organizationId: string, destinationId: string, since: Date): Promise<void> {
    await this.tenants.write(organizationId, async (transaction, query) => {
      const { count } = await transaction.destination.updateMany({
        where: { id: destinationId, state: { in: ['unreachable', 'permission_denied'] }, updatedAt: { lt: since } },
        data: { state: 'ready', failure: Prisma.DbNull },
      });
      if (count > 0) await this.setAlert(query, organizationId, destinationId, null);
    });
  }

  /** @param appId the app whose credentials were entered; null: none */
  private async recoverAlerts(
    query: TenantQuery,
    organizationId: string,
    destinationId: string,
    appId: string | null,
  ): Promise<void> {
    if (appId) await this.alerts.recover(query, organizationId, appId, ['app.needs_reauth']);
    await this.setAlert(query, organizationId, destinationId, null);
  }

  private setAlert(query: TenantQuery, organizationId: string, subjectId: string, failure: Failure | null): Promise<void> {
    const kind = 'destination.unreachable';
    if (failure) return this.alerts.open(query, organizationId, { kind, subjectId, failure });
    return this.alerts.recover(query, organizationId, subjectId, [kind]);
  }

  /**
   * Completes the settings (`connector.settle`), opens the credentials for the completed settings, checks, and audits the result.
   */
  private async settleAndCheck(
    actor: Actor,
    destinationId: string | null,
    connector: DestinationConnector,
    given: Settings,
    access: (settings: Settings) => Promise<DestinationCredentials>,
  ): Promise<{ settings: Settings; items: CheckItem[] }> {
    const settleAndCheck = async (context: ConnectorContext) => {
      const settings = connector.settle ? await connector.settle(given, context.signal) : given;
      const target = { type: 'destination', id: destinationId, name: connector.describe(settings, null).target };
      const record = (isPassed: boolean, failedItem: string | null): Promise<void> =>
        this.audit.record(actor, { action: 'destination.checked', target, after: { settings, isPassed, failedItem } });
      // `settle` has connected to the host already, so missing or rejected credentials are recorded too.
      const granted = await access(settings).catch(async (error: unknown) => {
        await record(false, 'credentials');
        throw error;
      });
      const items = await checkOpened(connector.open(settings, granted), context);
      await record(isPassed(items), items.find((item) => item.state === 'failed')?.code ?? null);
      return { settings, items };
    };
    return this.checks.run(actor.organizationId, settleAndCheck, connector.checkTimeoutMs);
  }

  /** Whether the target of the app's credentials would change while other destinations still use the app. */
  private async servesElsewhere(
    organizationId: string,
    { id, appId }: { id: string; appId: string },
    target: CredentialTarget,
  ): Promise<boolean> {
    const tenant = this.tenants.of(organizationId);
    const app = await tenant.app.findFirstOrThrow({ where: { id: appId } });
    // An imported app has no credentials yet: the first ones that are entered become its own.
    if (app.credentialTarget === null || isDeepStrictEqual(app.credentialTarget, target)) return false;
    return (await tenant.destination.count({ where: { appId, id: { not: id }, deletedAt: null } })) > 0;
  }

  private async accessFor(
    organizationId: string,
    connector: DestinationConnector,
    settings: Settings,
    { appId, credentials, destinationId }: Pick<CheckDestinationBody, 'appId' | 'credentials' | 'destinationId'>,
  ): Promise<DestinationCredentials> {
    if (appId) return this.accessOf(organizationId, appId, settings);
    if (credentials || !destinationId) {
      const typed = parseCredentials(connector, credentials ?? {});
      return { authMode: typed.kind.authMode, credentials: typed.credentials };
    }
    const destination = await this.queries.getDestination(organizationId, destinationId);
    return this.accessOf(organizationId, destination.appId, settings);
  }

  /** For a user who waits for the response: an app that needs reauthentication is reported as a problem. */
  private accessOf(organizationId: string, appId: string, settings: Settings): Promise<DestinationCredentials> {
    return this.access.openDestinationCredentials(organizationId, appId, settings).catch((error: unknown) => {
      throw asProblem(error);
    });
  }

  private async appOf(
    { organizationId, uid }: Actor,
    connector: DestinationConnector,
    settings: Settings,
    given: unknown,
  ): Promise<Prisma.AppUncheckedCreateInput> {
    const { kind, credentials } = parseCredentials(connector, given ?? {});
    const { appName, credentialHint } = connector.describe(settings, credentials);
    const id = newId();
    return {
      id,
      organizationId,
      provider: connector.provider,
      displayName: appName,
      authMode: kind.authMode,
      credentials: await this.access.encryptCredentials(organizationId, id, credentials),
      credentialTarget: connector.credentialTarget(settings),
      credentialHint,
      state: 'connected',
      createdBy: uid,
    };
  }
}
