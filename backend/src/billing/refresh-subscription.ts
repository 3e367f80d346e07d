import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { isBilled } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { LOGGER } from '../core/observability/logger.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { SyncSubscription } from './sync-subscription.js';

/** A page that waits for a payment polls about every second. Stripe's rate limit also counts failed requests. */
const AT_MOST_EVERY_MS = 2_000;

/** Syncs a subscription with Stripe on a user's request. */
@Injectable()
export class RefreshSubscription {
  /** Requests during an attempt or within two seconds after its end share its result. */
  private readonly attempts = new Map<string, Promise<void>>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tenants: TenantDatabase,
    private readonly sync: SyncSubscription,
  ) {}

  async refresh(organizationId: string): Promise<void> {
    if (!isBilled(this.env)) return;
    const attempt = this.attempts.get(organizationId) ?? this.attempt(organizationId);
    this.attempts.set(organizationId, attempt);
    await attempt;
  }

  private async attempt(organizationId: string): Promise<void> {
    try {
      await this.syncUnlessRecent(organizationId);
    } finally {
      setTimeout(() => this.attempts.delete(organizationId), AT_MOST_EVERY_MS).unref();
    }
  }

  private async syncUnlessRecent(organizationId: string): Promise<void> {
    const since = new Date(Date.now() - AT_MOST_EVERY_MS);
    const recent = await this.tenants.of(organizationId).subscription.count({ where: { syncedAt: { gt: since } } });
    if (recent > 0) return;
    try {
      await this.sync.sync(organizationId);
    } catch (error) {
      // The response contains the time of the last sync, so an outage of Stripe does not fail the request.
      this.logger.warn({ err: error, organizationId }, 'failed to sync a subscription with Stripe');
    }
  }
}
