import { Inject, Injectable } from '@nestjs/common';
import type { ConnectorContext, ProviderName } from '../connectors/kit/contract.js';
import { ENV, type Env } from '../core/config/env.js';
import { Problem } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { AppRequestBudget } from './apps.dto.js';
import { Connectors } from '../catalog/index.js';

// SQL: adds to a counter and returns it in one statement (upsert).

/**
 * Daily limit of manual requests of an organization to one platform. Each request is counted before it is sent, so the limit
 * holds for concurrent calls. Runs and sign-ins are not counted: a schedule or a user at the platform limits them.
 */
@Injectable()
export class ProviderBudget {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
  ) {}

  /** Counts each request of a call that a user made. */
  contextOf(organizationId: string, provider: ProviderName, signal: AbortSignal): ConnectorContext {
    return { signal, onRequest: () => undefined, beforeRequest: () => this.spend(organizationId, provider) };
  }

  async spend(organizationId: string, provider: ProviderName): Promise<void> {
    const now = new Date();
    const rows = await this.tenants.query(
      organizationId,
      `insert into provider_requests as counted (organization_id, provider, day, requests) values ($1, $2, $3::date, 1)
       on conflict (organization_id, provider, day) do update set requests = counted.requests + 1
         where counted.requests < $4
       returning requests`,
      [provider, dayOf(now), this.env.PROVIDER_CALLS_PER_DAY],
    );
    if (rows.length === 0) throw this.usedUp(provider, now);
  }

  describe(used: number): AppRequestBudget {
    return { used, limit: this.env.PROVIDER_CALLS_PER_DAY, resetAt: midnightText(new Date()) };
  }

  private usedUp(provider: ProviderName, now: Date): Problem {
    const limit = this.env.PROVIDER_CALLS_PER_DAY.toLocaleString('en');
    return new Problem('provider.budget_used', {
      detail: `This organization has used its ${limit} requests to ${this.connectors.nameOf(provider)} for today. Runs are not affected.`,
      action: 'Try again after midnight UTC',
      retryAfterSeconds: Math.ceil((nextMidnight(now).getTime() - now.getTime()) / 1_000),
    });
  }
}

const DAY_MS = 86_400_000;

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

let midnight = { day: -1, text: '' };

/** The next midnight as text, computed once a day: a list has it for each app. */
function midnightText(now: Date): string {
  const day = Math.floor(now.getTime() / DAY_MS);
  if (midnight.day !== day) midnight = { day, text: nextMidnight(now).toISOString() };
  return midnight.text;
}

const nextMidnight = (moment: Date): Date =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + 1));
