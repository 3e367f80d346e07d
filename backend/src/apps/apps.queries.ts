import { Injectable } from '@nestjs/common';
import { IdCursor } from '../core/database/cursor.js';
import { notFound } from '../core/http/problem.js';
import { countRunsWaitingForQuota } from '../read-models/index.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { isSource } from './oauth/oauth-landing.js';
import { ProviderBudget } from './provider-budget.service.js';
import type { AccountList, AppAuthorisation, AppEntry, AppPage, AppsQuery } from './apps.dto.js';
import { destinationProviders } from '../connectors/registry.js';

// SQL: a page of one statement with counts and the last sign-in.

type AppRow = Omit<
  AppEntry,
  | 'accountsListedAt'
  | 'lastProbeAt'
  | 'lastRefreshAt'
  | 'accessExpiresAt'
  | 'signInAgainAt'
  | 'needsReauthSince'
  | 'shareLink'
  | 'requestBudget'
  | 'authorised'
  | 'quotaPause'
  | 'usedBy'
  | 'createdAt'
  | 'updatedAt'
> & {
  accountsListedAt: Date | null;
  lastProbeAt: Date | null;
  lastRefreshAt: Date | null;
  accessExpiresAt: Date | null;
  signInAgainAt: Date | null;
  needsReauthSince: Date | null;
  requestsToday: number;
  quotaPausedUntil: Date | null;
  quotaPauseReason: string | null;
  sources: number;
  destinations: number;
  connections: number;
  sharedAt: Date | null;
  sharedUntil: Date | null;
  authorisedAt: Date | null;
  authorisedBy: string | null;
  madeBy: string | null;
  createdAt: Date;
  updatedAt: Date;
};

const SELECT = `
  select a.id, a.provider, a.display_name as "displayName", a.auth_mode as "authMode", a.state, a.credential_hint as "credentialHint",
         a.granted_scopes as "grantedScopes", a.missing_scopes as "missingScopes", a.external_user as "externalUser", a.accounts, a.source_defaults as "sourceDefaults",
         a.accounts_listed_at as "accountsListedAt", a.last_probe_at as "lastProbeAt", a.failure,
         a.access_expires_at as "accessExpiresAt", a.created_at as "createdAt", a.updated_at as "updatedAt", a.version,
         a.sign_in_again_at as "signInAgainAt", a.last_refresh_at as "lastRefreshAt", a.quota,
         case when a.quota_paused_until > now() then a.quota_paused_until end as "quotaPausedUntil", a.quota_pause->>'message' as "quotaPauseReason",
         a.needs_reauth_since as "needsReauthSince", link.created_at as "sharedAt", link.expires_at as "sharedUntil",
         authorised.at as "authorisedAt", authorised.actor as "authorisedBy", maker.email as "madeBy",
         coalesce((select p.requests from provider_requests p
                    where p.organization_id = a.organization_id and p.provider = a.provider
                      and p.day = (now() at time zone 'UTC')::date), 0) as "requestsToday",
         read.sources, sent.destinations, read.connections + sent.connections as connections
    from apps a
    left join users maker on maker.uid = a.created_by
    left join lateral (
      select e.at, e.actor from app_events e
       where e.organization_id = a.organization_id and e.app_id = a.id and e.event in ('connected', 'reconnected')
       order by e.id desc limit 1) authorised on true
    left join lateral (
      select l.created_at, l.expires_at from app_share_links l
       where l.organization_id = a.organization_id and l.app_id = a.id and l.used_at is null and l.revoked_at is null
         and l.expires_at > now() limit 1) link on true
    cross join lateral (
      select count(distinct s.id) filter (where s.deleted_at is null)::int as sources, count(c.id)::int as connections
        from sources s
        left join connections c on c.organization_id = s.organization_id and c.source_id = s.id and c.deleted_at is null
       where s.organization_id = a.organization_id and s.app_id = a.id) read
    cross join lateral (
      select count(distinct d.id) filter (where d.deleted_at is null)::int as destinations, count(c.id)::int as connections
        from destinations d
        left join connections c on c.organization_id = d.organization_id and c.destination_id = d.id and c.deleted_at is null
       where d.organization_id = a.organization_id and d.app_id = a.id) sent
   where a.organization_id = $1 and a.deleted_at is null`;

const LIST = `${SELECT} and ($2::text is null or a.provider = $2) and ($3::uuid is null or a.id > $3) order by a.id limit $4`;
const ONE = `${SELECT} and a.id = $2`;

const CURSOR = new IdCursor('apps');

@Injectable()
export class AppsQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly budget: ProviderBudget,
  ) {}

  async listApps(organizationId: string, query: AppsQuery): Promise<AppPage> {
    const after = CURSOR.after(query.cursor);
    const rows = await this.tenants.query<AppRow>(organizationId, LIST, [query.provider ?? null, after, query.limit + 1]);
    return CURSOR.toPage(await this.toEntries(organizationId, rows), query.limit, (app) => [app.id]);
  }

  async getApp(organizationId: string, appId: string): Promise<AppEntry> {
    const rows = await this.tenants.query<AppRow>(organizationId, ONE, [appId]);
    const [app] = await this.toEntries(organizationId, rows);
    if (!app) throw notFound('The app');
    return app;
  }

  async getAccounts(organizationId: string, appId: string): Promise<AccountList> {
    const app = await this.getApp(organizationId, appId);
    return { items: app.accounts, listedAt: app.accountsListedAt };
  }

  /** Waiting runs are counted only for apps that are paused, which is rare: as a part of the list they slow every request down. */
  private async toEntries(organizationId: string, rows: AppRow[]): Promise<AppEntry[]> {
    const pausedIds = rows.filter(({ quotaPausedUntil }) => quotaPausedUntil).map(({ id }) => id);
    const waitingRuns =
      pausedIds.length > 0 ? await countRunsWaitingForQuota(this.tenants, organizationId, pausedIds) : new Map<string, number>();
    return rows.map((row) => this.toEntry(row, waitingRuns.get(row.id) ?? 0));
  }

  /** Lists every field: rest and spread copied each row twice, 53 of the 1,150 us of a list of ten. */
  private toEntry(row: AppRow, waitingRuns: number): AppEntry {
    const { sharedAt, sharedUntil, quotaPausedUntil } = row;
    return {
      id: row.id,
      provider: row.provider,
      displayName: row.displayName,
      roles: [destinationProviders.all.includes(row.provider) ? 'destination' : 'source'],
      authMode: row.authMode,
      state: row.state,
      credentialHint: row.credentialHint,
      grantedScopes: row.grantedScopes,
      missingScopes: row.missingScopes,
      externalUser: row.externalUser,
      authorised: authorisationOf(row),
      // Older lists do not contain names of managers.
      accounts: row.accounts.map((account) => ({ ...account, managerName: account.managerName ?? null })),
      accountsListedAt: textOf(row.accountsListedAt),
      sourceDefaults: row.sourceDefaults,
      usedBy: { sources: row.sources, destinations: row.destinations, connections: row.connections },
      lastProbeAt: textOf(row.lastProbeAt),
      failure: row.failure,
      needsReauthSince: textOf(row.needsReauthSince),
      shareLink: sharedAt && sharedUntil ? { createdAt: sharedAt.toISOString(), expiresAt: sharedUntil.toISOString() } : null,
      accessExpiresAt: textOf(row.accessExpiresAt),
      signInAgainAt: textOf(row.signInAgainAt),
      lastRefreshAt: textOf(row.lastRefreshAt),
      quota: row.quota,
      quotaPause: quotaPausedUntil
        ? { until: quotaPausedUntil.toISOString(), reason: row.quotaPauseReason ?? '', waitingRuns }
        : null,
      requestBudget: isSource(row.provider) ? this.budget.describe(row.requestsToday) : null,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      version: row.version,
    };
  }
}

const textOf = (moment: Date | null): string | null => moment?.toISOString() ?? null;

/** An app whose credentials were entered with its destination has no event of its own: its creator authorized it. */
function authorisationOf({
  state,
  createdAt,
  authorisedAt,
  authorisedBy,
  madeBy,
}: Pick<AppRow, 'state' | 'createdAt' | 'authorisedAt' | 'authorisedBy' | 'madeBy'>): AppAuthorisation | null {
  if (authorisedAt)
    return { at: authorisedAt.toISOString(), way: authorisedBy === null ? 'link' : 'member', email: authorisedBy };
  const isBegun = state === 'draft' || state === 'authorizing';
  return isBegun ? null : { at: createdAt.toISOString(), way: 'member', email: madeBy };
}
