import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type Stripe from 'stripe';
import { queueSync } from '../subscription-jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { Problem } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { SubscriptionStatusName } from '../billing.dto.js';
import { SUBSCRIBED } from './checkout.js';
import { idOf } from './checkout-sessions.js';
import { isMissing, isUnavailable, StripeApi } from '../stripe-api.js';
import { SyncSubscription } from '../sync-subscription.js';

// SQL: claims a check in one statement, by the clock of the database.

const SESSION_ID = /^cs_\w{1,250}$/;
/** Stripe limits the request rate, and the page that waits for a payment polls every two seconds. */
const CHECK_EVERY_SECONDS = 60;

interface SessionRow {
  /** Null until Stripe has responded. */
  isComplete: boolean | null;
  isLast: boolean;
  status: SubscriptionStatusName;
  customerId: string | null;
  retryAfterSeconds: number;
  [column: string]: unknown;
}

/** Checks whether a checkout was paid. Uses the stored state if it is sufficient, otherwise Stripe. */
@Injectable()
export class CheckoutValidity {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tenants: TenantDatabase,
    private readonly stripe: StripeApi,
    private readonly sync: SyncSubscription,
  ) {}

  /** Whether the session is this organization's and was completed. If so, its subscription is read from Stripe. */
  async isValid(organizationId: string, sessionId: string): Promise<boolean> {
    const row = SESSION_ID.test(sessionId) ? await this.read(organizationId, sessionId) : undefined;
    if (!row) return false;
    if (SUBSCRIBED.includes(row.status) && (row.isLast || row.isComplete)) return true;
    if (!(await this.claim(organizationId, sessionId))) return lastResult(row);
    if (row.isComplete !== true && !(await this.checkAtStripe(organizationId, sessionId, row.customerId))) return false;
    await this.syncNow(organizationId);
    return true;
  }

  /** The remaining seconds follow the database's clock, as the claim does. */
  private async read(organizationId: string, sessionId: string): Promise<SessionRow | undefined> {
    const [row] = await this.tenants.query<SessionRow>(
      organizationId,
      `select c.is_complete as "isComplete", s.last_checkout_session_id is not distinct from c.id as "isLast", s.status,
              s.customer_id as "customerId",
              greatest(1, ceil(extract(epoch from c.asked_at - now()) + $3))::int as "retryAfterSeconds"
         from checkout_sessions c join subscriptions s on s.organization_id = c.organization_id
        where c.organization_id = $1 and c.id = $2`,
      [sessionId, CHECK_EVERY_SECONDS],
    );
    return row;
  }

  /** True for one caller a minute, over all processes. Also clears an earlier "not paid" until Stripe has responded. */
  private async claim(organizationId: string, sessionId: string): Promise<boolean> {
    const claimed = await this.tenants.query(
      organizationId,
      `update checkout_sessions set asked_at = now(), is_complete = nullif(is_complete, false)
        where organization_id = $1 and id = $2 and (asked_at is null or asked_at <= now() - make_interval(secs => $3))
        returning id`,
      [sessionId, CHECK_EVERY_SECONDS],
    );
    return claimed.length > 0;
  }

  /** An outage is reported as an outage, because the checkout may be paid. A job retries until Stripe responds. */
  private async checkAtStripe(organizationId: string, sessionId: string, customerId: string | null): Promise<boolean> {
    const session = await this.retrieve(organizationId, sessionId);
    const isComplete =
      session !== null &&
      session.client_reference_id === organizationId &&
      idOf(session.customer) === customerId &&
      session.status === 'complete';
    await this.tenants.of(organizationId).checkoutSession.updateMany({ where: { id: sessionId }, data: { isComplete } });
    return isComplete;
  }

  private async retrieve(organizationId: string, sessionId: string): Promise<Stripe.Checkout.Session | null> {
    try {
      return await this.stripe.call((stripe) => stripe.checkout.sessions.retrieve(sessionId));
    } catch (error) {
      if (isMissing(error)) return null;
      if (isUnavailable(error)) await this.syncLater(organizationId);
      throw error;
    }
  }

  private async syncNow(organizationId: string): Promise<void> {
    try {
      await this.sync.sync(organizationId);
    } catch (error) {
      this.logger.warn({ err: error, organizationId }, 'the subscription of a paid checkout could not be read; a job retries');
      await this.syncLater(organizationId);
    }
  }

  private syncLater(organizationId: string): Promise<void> {
    return this.tenants.transaction(organizationId, (query) => queueSync(query, organizationId));
  }
}

function lastResult({ isComplete, retryAfterSeconds }: SessionRow): boolean {
  if (isComplete !== null) return isComplete;
  throw new Problem('billing.unavailable', {
    detail: 'Stripe has not confirmed this checkout yet.',
    action: 'Try again in a minute',
    retryAfterSeconds,
  });
}
