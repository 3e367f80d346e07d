import { Injectable } from '@nestjs/common';
import { IdCursor } from '../core/database/cursor.js';
import { notFound } from '../core/http/problem.js';
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
  waitingRuns: number;
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
         case when a.quota_paused_until > now() then (select count(*)::int from runs r
                             join connections c on c.organization_id = r.organization_id and c.id = r.connection_id
                             join sources s on s.organization_id = c.organization_id and s.id = c.source_id
                             join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
                            where r.organization_id = a.organization_id and r.state = 'waiting' and r.ended_at is null
                              and r.failure->>'class' = 'quota' and a.id in (s.app_id, d.app_id))
         else 0 end as "waitingRuns",
         a.needs_reauth_since as "needsReauthSince", link.created_at as "sharedAt", link.expires_at as "sharedUntil",
         authorised.at as "authorisedAt", authorised.actor as "authorisedBy", maker.email as "madeBy",
         coalesce((select p.requests from provider_requests p
                    where p.organization_id = a.organization_id and p.provider = a.provider
                      and p.day = (now() at time zone 'UTC')::date), 0) as "requestsToday",
         json_build_object(
           'sources', (select count(*)::int from sources s
                        where s.organization_id = a.organization_id and s.app_id = a.id and s.deleted_at is null),
           'destinations', (select count(*)::int from destinations d
                             where d.organization_id = a.organization_id and d.app_id = a.id and d.deleted_at is null),
           'connections', (select count(*)::int from connections c
                             join sources s on s.organization_id = c.organization_id and s.id = c.source_id
                             join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
                            where c.organization_id = a.organization_id and c.deleted_at is null and a.id in (s.app_id, d.app_id))
         ) as "usedBy"
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
   where a.organization_id = $1 and a.deleted_at is null`;

const CURSOR = new IdCursor('apps');

@Injectable()
export class AppsQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly budget: ProviderBudget,
  ) {}

  async listApps(organizationId: string, query: AppsQuery): Promise<AppPage> {
    const after = CURSOR.after(query.cursor);
    const rows = await this.tenants.query<AppRow>(
      organizationId,
      `${SELECT} and ($2::text is null or a.provider = $2) and ($3::uuid is null or a.id > $3) order by a.id limit $4`,
      [query.provider ?? null, after, query.limit + 1],
    );
    return CURSOR.toPage(
      rows.map((row) => this.toEntry(row)),
      query.limit,
      (app) => [app.id],
    );
  }

  async getApp(organizationId: string, appId: string): Promise<AppEntry> {
    const rows = await this.tenants.query<AppRow>(organizationId, `${SELECT} and a.id = $2`, [appId]);
    if (!rows[0]) throw notFound('The app');
    return this.toEntry(rows[0]);
  }

  async getAccounts(organizationId: string, appId: string): Promise<AccountList> {
    const app = await this.getApp(organizationId, appId);
    return { items: app.accounts, listedAt: app.accountsListedAt };
  }

  private toEntry(given: AppRow): AppEntry {
    const {
      sharedAt,
      sharedUntil,
      authorisedAt,
      authorisedBy,
      madeBy,
      requestsToday,
      quotaPausedUntil,
      quotaPauseReason,
      waitingRuns,
      ...row
    } = given;
    return {
      ...row,
      roles: [destinationProviders.all.includes(row.provider) ? 'destination' : 'source'],
      authorised: authorisationOf({ ...row, authorisedAt, authorisedBy, madeBy }),
      shareLink: sharedAt && sharedUntil ? { createdAt: sharedAt.toISOString(), expiresAt: sharedUntil.toISOString() } : null,
      quotaPause: quotaPausedUntil
        ? { until: quotaPausedUntil.toISOString(), reason: quotaPauseReason ?? '', waitingRuns }
        : null,
      requestBudget: isSource(row.provider) ? this.budget.describe(requestsToday) : null,
      // Older lists do not contain names of managers.
      accounts: row.accounts.map((account) => ({ ...account, managerName: account.managerName ?? null })),
      accountsListedAt: row.accountsListedAt?.toISOString() ?? null,
      lastProbeAt: row.lastProbeAt?.toISOString() ?? null,
      lastRefreshAt: row.lastRefreshAt?.toISOString() ?? null,
      accessExpiresAt: row.accessExpiresAt?.toISOString() ?? null,
      signInAgainAt: row.signInAgainAt?.toISOString() ?? null,
      needsReauthSince: row.needsReauthSince?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  }
}

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
