import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import type { ConnectorContext } from '../connectors/kit/contract.js';
import { ReconnectNeeded } from '../connectors/kit/errors.js';
import { withinTime } from '../connectors/kit/within-time.js';
import { type App, Prisma } from '../generated/prisma/client.js';
import { WAITS, type Waits } from '../core/config/waits.js';
import { Database } from '../core/database/database.js';
import { asProblem } from '../core/http/failures.js';
import { defineScheduledJob, defineJob, queueJob } from '../core/jobs/define-job.js';
import { type JobContext, Jobs } from '../core/jobs/jobs.js';
import { notFound, Problem } from '../core/http/problem.js';
import { SingleFlight } from '../core/jobs/single-flight.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { AuthorizedApps } from './credentials/authorized-apps.service.js';
import { AppHistory } from '../audit/index.js';
import { Connectors } from '../catalog/index.js';
import { nextProbeAt, connectedState } from './expiry.js';
import { isSource } from './oauth/oauth-landing.js';
import { ProviderBudget } from './provider-budget.service.js';
import { wasGivenUp } from './credentials/refresh-errors.js';
import { RefreshToken } from './credentials/refresh-token.js';
import { plural } from '../connectors/kit/plural.js';

// SQL: claims due apps in one statement, skips locked rows, and returns the changed ones.

const probeApps = defineScheduledJob('probe-apps', 'every-quarter-hour');

const probeApp = defineJob('probe-app', z.object({ organizationId: z.uuid(), appId: z.uuid() }));
/** Accounts change rarely: a list fetched more recently than this is reused. */
const LIST_CACHE_MS = 5 * 60_000;
/** The apps of one sweep are spread over this time, so that a provider does not get all requests at the same time. */
const SWEEP_MS = 10 * 60_000;
const MAX_BATCH = 1_000;

type ContextFor = (app: App, signal: AbortSignal) => ConnectorContext;

interface Limit {
  milliseconds: number;
  action?: string;
  signal?: AbortSignal;
}

const uncounted: ContextFor = (_app, signal) => ({ signal, onRequest: () => undefined });

/** Checks once a day whether each app still works, so that an expired sign-in is detected before a run fails. */
@Injectable()
export class ProbeApp implements OnModuleInit {
  private readonly probes = new SingleFlight<void>();
  private readonly lists = new SingleFlight<void>();

  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly access: AuthorizedApps,
    private readonly refreshToken: RefreshToken,
    private readonly history: AppHistory,
    private readonly budget: ProviderBudget,
    private readonly connectors: Connectors,
    @Inject(WAITS) private readonly waits: Waits,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(probeApps, () => this.queueDue());
    this.jobs.handle(probeApp, (app, context) => this.work(app, context));
  }

  /** Checks at the provider whether the app still works, and lists its accounts. An expired sign-in is a result, not an error. */
  private async probe(organizationId: string, appId: string, contextFor: ContextFor, limit: Limit): Promise<void> {
    const app = await this.findApp(organizationId, appId);
    if (app.authMode !== 'oauth2' && app.authMode !== 'api_key') return;
    const serviceName = this.connectors.nameOf(app.provider);
    try {
      const detail = await withinTime({ serviceName, ...limit }, (signal) => this.checkSignIn(app, contextFor(app, signal)));
      await this.recordSuccess(app, detail);
    } catch (error) {
      // An exceeded budget says nothing about the sign-in.
      if (error instanceof Problem) throw error;
      if (error instanceof ReconnectNeeded) return void (await this.access.markNeedsReauth(app, error));
      const detail = error instanceof Error ? error.message : undefined;
      await this.history.record({ organizationId, appId, event: 'probe_failed', ...(detail ? { detail } : {}) });
      throw error;
    }
  }

  /** Requested by a user: its requests count against the organization's daily budget. */
  async probeNow(organizationId: string, appId: string): Promise<void> {
    const contextFor: ContextFor = (app, signal) => this.budget.contextOf(organizationId, app.provider, signal);
    const limit = { milliseconds: this.waits.providerTimeoutMs, action: 'Try again in a few minutes' };
    await this.probes
      .share(`${organizationId} ${appId}`, () => this.probe(organizationId, appId, contextFor, limit))
      .catch((error: unknown) => Promise.reject(asProblem(error) as Error));
  }

  /** Lists the app's accounts again, unless the list is less than 5 minutes old. */
  relistAccounts(organizationId: string, appId: string): Promise<void> {
    return this.lists.share(`${organizationId} ${appId}`, async () => {
      const { accountsListedAt } = await this.findApp(organizationId, appId);
      const isYoung = accountsListedAt !== null && Date.now() - accountsListedAt.getTime() < LIST_CACHE_MS;
      if (!isYoung) await this.probeNow(organizationId, appId);
    });
  }

  private async findApp(organizationId: string, appId: string): Promise<App> {
    const app = await this.tenants.of(organizationId).app.findFirst({ where: { id: appId, deletedAt: null } });
    if (!app) throw notFound('The app');
    return app;
  }

  private async checkSignIn(app: App, context: ConnectorContext): Promise<string> {
    if (wasGivenUp(app)) await this.refreshToken.retry(app, context.signal);
    else if (app.authMode === 'oauth2') await this.refreshToken.refresh(app, undefined, context.signal);
    if (!isSource(app.provider)) return 'The sign-in works.';
    const accounts = await this.access.openSource(app).listAccounts(context);
    await this.access.saveAccounts(app, accounts);
    return `The sign-in works and has access to ${plural(accounts.length, 'account')}.`;
  }

  private async recordSuccess({ organizationId, id }: App, detail: string): Promise<void> {
    const now = new Date();
    const tenant = this.tenants.of(organizationId);
    const app = await tenant.app.findFirstOrThrow({ where: { id } });
    // A disconnect during the probe takes precedence.
    await tenant.app.updateMany({
      where: { id, state: { in: ['connected', 'expiring'] } },
      data: {
        state: connectedState(app.signInAgainAt, now),
        failure: Prisma.DbNull,
        lastProbeAt: now,
        nextProbeAt: nextProbeAt(now),
      },
    });
    await this.history.record({ organizationId, appId: id, event: 'probe_ok', detail });
  }

  /**
   * Intentionally over all organizations: it only selects ids. A failed probe is retried an hour later, and after a day if its
   * app needs reauthentication. Only apps whose platform has not rejected the sign-in have a next probe then.
   */
  private async queueDue(): Promise<void> {
    const { rows } = await this.database.pool.query<{ organizationId: string; appId: string }>(
      `update apps set next_probe_at = now() + case when state = 'needs_reauth' then interval '1 day' else interval '1 hour' end
        where id in (select a.id from apps a join organizations o on o.id = a.organization_id and o.deleted_at is null
                      where a.next_probe_at <= now() and a.auth_mode in ('oauth2', 'api_key')
                        and a.state in ('connected', 'expiring', 'needs_reauth') and a.deleted_at is null
                      order by a.next_probe_at limit $1 for update of a skip locked)
       returning organization_id as "organizationId", id as "appId"`,
      [MAX_BATCH],
    );
    for (const [index, app] of rows.entries()) {
      const runAt = new Date(Date.now() + (index / rows.length) * SWEEP_MS);
      await this.tenants.transaction(app.organizationId, (query) =>
        queueJob(query, probeApp, app, { key: `probe:${app.appId}`, runAt }),
      );
    }
  }

  private async work({ organizationId, appId }: z.infer<typeof probeApp.schema>, { signal }: JobContext): Promise<void> {
    try {
      await this.probe(organizationId, appId, uncounted, { milliseconds: this.waits.probeTimeoutMs, signal });
    } catch (error) {
      // An error of the provider is in the app's history and retried in an hour. Only our own errors fail the job.
      if (asProblem(error) === error) throw error;
    }
  }
}
