import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { Alerts } from '../../alerts/index.js';
import { AnalyticsService, whatHappened } from '../../analytics/index.js';
import { AppHistory, AuditService } from '../../audit/index.js';
import { Connectors } from '../../catalog/index.js';
import type { AdAccount, ProviderName } from '../../connectors/kit/contract.js';
import { ReconnectNeeded } from '../../connectors/kit/errors.js';
import { withinTime } from '../../connectors/kit/within-time.js';
import { WAITS, type Waits } from '../../core/config/waits.js';
import { type App, Prisma } from '../../generated/prisma/client.js';
import { newId } from '../../core/database/identifiers.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { asProblem } from '../../core/http/failures.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { nextProbeAt } from '../expiry.js';
import { ProviderBudget } from '../provider-budget.service.js';
import { accountsColumn, storedAccounts } from '../stored-accounts.js';
import { AppCredentials } from './app-credentials.js';
import { saveAccountsWithin } from './save-accounts.js';

interface CheckedKey {
  credentials: { apiKey: string };
  hint: string;
  accounts: AdAccount[];
}

/** Saves keys that users enter, after each of their permissions was checked at the provider. */
@Injectable()
export class EnterKey {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
    private readonly credentials: AppCredentials,
    private readonly budget: ProviderBudget,
    private readonly audit: AuditService,
    private readonly history: AppHistory,
    private readonly events: DomainEvents,
    private readonly alerts: Alerts,
    private readonly analytics: AnalyticsService,
    @Inject(WAITS) private readonly waits: Waits,
  ) {}

  async create(
    actor: Actor,
    provider: ProviderName,
    given: { displayName: string | undefined; credentials: Record<string, unknown> },
  ): Promise<string> {
    const { organizationId, uid, email } = actor;
    const checked = await this.check(organizationId, provider, given.credentials);
    const id = newId();
    const name = given.displayName ?? checked.accounts[0]?.name ?? this.connectors.nameOf(provider);
    const columns = { ...(await this.columnsOf(organizationId, id, checked)), accounts: storedAccounts(checked.accounts) };
    await this.tenants.write(organizationId, async (transaction, query) => {
      await transaction.app.create({
        data: { id, organizationId, provider, displayName: name, authMode: 'api_key', createdBy: uid, ...columns },
      });
      const target = { type: 'app', id, name };
      await this.audit.record(actor, { action: 'app.created', target }, query);
      await this.history.record(
        { organizationId, appId: id, event: 'connected', actor: email, detail: 'A key was entered.' },
        transaction,
      );
    });
    return id;
  }

  /** A key of another account, or of the other mode of the same one, would mix different data, so it is rejected. */
  async replace(actor: Actor, appId: string, given: Record<string, unknown>): Promise<void> {
    const { organizationId, uid, email } = actor;
    const app = await this.tenants
      .of(organizationId)
      .app.findFirst({ where: { id: appId, deletedAt: null, authMode: 'api_key' } });
    if (!app) throw notFound('The app');
    const checked = await this.check(organizationId, app.provider, given);
    assertSameAccount(app, checked.accounts);
    this.assertSameMode(app, checked.hint);
    const columns = await this.columnsOf(organizationId, appId, checked);
    await this.tenants.write(organizationId, async (transaction, query) => {
      // A run that failed with the old key says nothing about the new one.
      await transaction.app.update({ where: { id: appId }, data: { ...columns, version: { increment: 1 } } });
      const { connectors, events } = this;
      await saveAccountsWithin({ transaction, query }, { connectors, events }, app, checked.accounts, { listedAt: new Date() });
      await this.alerts.recover(query, organizationId, appId, ['app.needs_reauth']);
      const target = { type: 'app', id: appId, name: app.displayName };
      await this.audit.record(actor, { action: 'app.key_entered', target }, query);
      await this.history.record(
        { organizationId, appId, event: 'reconnected', actor: email, detail: 'A new key was entered.' },
        transaction,
      );
      await this.analytics.raise(query, whatHappened('Source Reauthenticated', actor, app.provider));
      if (app.state !== 'connected') await this.events.emit(query, 'app.reconnected', { organizationId, appId, actor: uid });
    });
  }

  private assertSameMode({ provider, credentialHint }: App, hint: string): void {
    const { modeOf } = this.connectors.getKeySource(provider);
    if (credentialHint === null || modeOf(credentialHint) === modeOf(hint)) return;
    throw new Problem('provider.failed', {
      detail: `This is a ${modeOf(hint)} key, and the app was connected with a ${modeOf(credentialHint)} key.`,
      action: 'Connect it as a new app',
    });
  }

  private async check(organizationId: string, provider: ProviderName, given: Record<string, unknown>): Promise<CheckedKey> {
    const connector = this.connectors.getKeySource(provider);
    const parsed = connector.credentialsSchema.safeParse(given);
    if (!parsed.success) {
      const errors = parsed.error.issues.map(({ path, message }) => {
        const field = ['credentials', ...path].join('.');
        return { field, message: `${field} ${message}` };
      });
      throw new Problem('request.invalid', { detail: errors.map(({ message }) => message).join('; '), errors });
    }
    const { apiKey } = parsed.data;
    const key = { apiKey: () => Promise.resolve(apiKey) };
    const accounts = await this.withinTime(provider, (signal) =>
      connector.check(key, this.budget.contextOf(organizationId, provider, signal)),
    ).catch((error: unknown) => Promise.reject(rejection(error)));
    return { credentials: parsed.data, hint: connector.hintOf(parsed.data), accounts };
  }

  private withinTime<Result>(provider: ProviderName, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const serviceName = this.connectors.nameOf(provider);
    const milliseconds = this.waits.providerTimeoutMs;
    return withinTime({ serviceName, milliseconds, action: 'Try again in a few minutes' }, work);
  }

  private async columnsOf(organizationId: string, appId: string, { credentials, hint }: CheckedKey) {
    const now = new Date();
    return {
      credentials: await this.credentials.encrypt(organizationId, appId, credentials),
      credentialHint: hint,
      accountsListedAt: now,
      state: 'connected' as const,
      failure: Prisma.DbNull,
      needsReauthSince: null,
      lastProbeAt: now,
      nextProbeAt: nextProbeAt(now),
    };
  }
}

function assertSameAccount({ accounts, displayName }: App, found: AdAccount[]): void {
  const known = accountsColumn.get(accounts)[0]?.externalId;
  if (known === undefined || found.some(({ externalId }) => externalId === known)) return;
  throw new Problem('provider.failed', {
    detail: `The key belongs to ${found[0]?.name ?? 'another account'}, and ${displayName} to the account ${known}.`,
    action: 'Enter a key of the same account, or connect the other account as a new app',
  });
}

/** A rejected key is an error of the input, not of a connected app. */
const rejection = (error: unknown): Error =>
  (error instanceof ReconnectNeeded
    ? new Problem('provider.failed', { detail: error.message, action: error.action }, { cause: error })
    : asProblem(error)) as Error;
