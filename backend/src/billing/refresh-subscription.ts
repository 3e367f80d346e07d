import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { isBilled } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { LOGGER } from '../core/observability/logger.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { SyncSubscription } from './sync-subscription.js';

/** A page that waits for its payment asks every second or so; Stripe counts our calls, also those that fail. */
const AT_MOST_EVERY_MS = 2_000;

/** Asks Stripe while somebody waits. */
@Injectable()
export class RefreshSubscription {
  /** Whoever asks while this process does, or shortly after, shares its attempt, however that ended. */
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
      await this.askUnlessRecent(organizationId);
    } finally {
      setTimeout(() => this.attempts.delete(organizationId), AT_MOST_EVERY_MS).unref();
    }
  }

  private async askUnlessRecent(organizationId: string): Promise<void> {
    const [recent] = await this.tenants.query(
      organizationId,
      `select organization_id from subscriptions where organization_id = $1 and synced_at > now() - make_interval(secs => $2)`,
      [AT_MOST_EVERY_MS / 1_000],
    );
    if (recent) return;
    try {
      await this.sync.sync(organizationId);
    } catch (error) {
      // Its age says that it is old; an outage of Stripe's is nobody's error here.
      this.logger.warn({ err: error, organizationId }, 'Stripe could not be asked');
    }
  }
}
