import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ConnectorError, ReconnectNeeded, type RetryLater } from '../../connectors/kit/errors.js';
import type { TokenGrant } from '../../connectors/kit/oauth/oauth.js';
import { type App, Prisma } from '../../generated/prisma/client.js';
import { notFound } from '../../core/http/problem.js';
import { queryWithin, type TenantClient, TenantDatabase } from '../../core/database/tenant-database.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { connectedState, nextProbeAt } from '../expiry.js';
import { AppCredentials, findStoredApp, type OauthCredentials } from './app-credentials.js';
import { Alerts } from '../../alerts/index.js';
import { AppHistory } from '../../audit/index.js';
import { Connectors } from '../../catalog/index.js';
import { markNeedsReauth } from './mark-needs-reauth.js';
import { busyApp, givenUp, isLockTimeout, tooSlow, unconfirmedRejection, wasGivenUp } from './refresh-errors.js';
import { untilAborted } from './until-aborted.js';

// SQL: locks the app's row, so that one worker refreshes its token.

/** A token with less time left is not used, because the request takes time too. */
export const EXPIRY_MARGIN_MS = 60_000;
/** The row stays locked during a refresh, so that a rotated token is stored before it is used. */
const REFRESH_TRANSACTION_MS = 45_000;
/** Longest wait for the lock. It is part of the transaction time; after it the caller retries later. */
const LOCK_WAIT_MS = 10_000;
/** Reserved to store the result: a rotated token that is not stored is lost. */
const STORE_MS = 5_000;
/** With less time left no request is made, because its result could not be stored. */
const MIN_RESPONSE_MS = 10_000;
const DAY_MS = 86_400_000;
/** A rejection that may be wrong is accepted the third time, two minutes after the first. */
const ACCEPTED_REJECTIONS = 3;
const RETRY_MS = 60_000;
/** Refreshes that fail for this long are not a transient error, unless the access token is still valid. */
const GIVE_UP_AFTER_MS = 4 * DAY_MS;

type Client = Pick<TenantClient, 'app' | 'appEvent' | '$queryRaw' | '$queryRawUnsafe' | '$executeRawUnsafe'>;
type AppId = Pick<App, 'organizationId' | 'id'>;

interface Occasion {
  /** The access token that the provider has just rejected, independent of its expiry. */
  refused?: string | undefined;
  /** The refresh was given up, and is tried once more. */
  isRetry?: boolean;
}

/** Refreshes the tokens of apps. */
@Injectable()
export class RefreshToken implements BeforeApplicationShutdown {
  private readonly active = new Set<Promise<unknown>>();

  constructor(
    private readonly tenants: TenantDatabase,
    private readonly credentials: AppCredentials,
    private readonly connectors: Connectors,
    private readonly history: AppHistory,
    private readonly alerts: Alerts,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Returns a valid token and renews it if it expires within the provider's margin.
   * `refused`: the access token that the provider has just rejected, independent of its expiry.
   * `signal` only ends the waiting: the result of a request is stored even if the caller no longer waits.
   */
  refresh(app: AppId, refused: string | undefined, signal: AbortSignal): Promise<OauthCredentials> {
    return this.renewWhile(signal, app, { refused });
  }

  /** For an app whose refresh was given up: if it works now, everything that uses the app continues. */
  retry(app: AppId, signal: AbortSignal): Promise<OauthCredentials> {
    return this.renewWhile(signal, app, { isRetry: true });
  }

  private async renewWhile(signal: AbortSignal, app: AppId, occasion: Occasion): Promise<OauthCredentials> {
    signal.throwIfAborted();
    const renewal = this.renew(app, occasion);
    const ended = renewal.then(noop, noop).finally(() => this.active.delete(ended));
    this.active.add(ended);
    const outcome = await untilAborted(signal, renewal);
    if (outcome instanceof ConnectorError) throw outcome;
    return outcome;
  }

  /** Runs before the database connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    while (this.active.size > 0) await Promise.all(this.active);
  }

  private async renew(app: AppId, occasion: Occasion): Promise<OauthCredentials | ConnectorError> {
    const lasting = occasion.refused === undefined && !occasion.isRetry ? await this.findLasting(app) : null;
    if (lasting) return lasting;
    try {
      return await this.tenants.write(app.organizationId, (transaction) => this.refreshLocked(transaction, app, occasion), {
        limits: { timeout: REFRESH_TRANSACTION_MS, maxWait: REFRESH_TRANSACTION_MS },
      });
    } catch (error) {
      if (isLockTimeout(error)) return busyApp(error);
      throw error;
    }
  }

  /** Most runs find a valid token and need no lock. */
  private async findLasting({ organizationId, id }: AppId): Promise<OauthCredentials | null> {
    const app = await findStoredApp(this.tenants, organizationId, id);
    if (!app) return null;
    const stored = await this.credentials.decryptTokens(app);
    return isValidFor(stored, this.connectors.getOauth(app.provider).refreshMarginMs) ? stored : null;
  }

  /** A rejection is a result too: the app is marked under the lock, so that a newer sign-in is not marked. */
  private async refreshLocked(
    client: Client,
    { organizationId, id }: AppId,
    { refused, isRetry }: Occasion,
  ): Promise<OauthCredentials | ConnectorError> {
    const begunAt = performance.now();
    await client.$executeRawUnsafe(`set local lock_timeout = ${LOCK_WAIT_MS}`);
    await client.$queryRaw`select 1 from apps where organization_id = ${organizationId}::uuid and id = ${id}::uuid for no key update`;
    const app = await client.app.findFirst({ where: { id, deletedAt: null } });
    if (!app) throw notFound('The app');
    const isGivenUp = isRetry === true && wasGivenUp(app);
    const stored = isGivenUp ? await this.credentials.decryptGivenUp(app) : await this.credentials.decryptTokens(app);
    const isUsable = (marginMs: number): boolean => !isGivenUp && stored.accessToken !== refused && isValidFor(stored, marginMs);
    // Another process may have refreshed it while it held the lock.
    if (isUsable(this.connectors.getOauth(app.provider).refreshMarginMs)) return stored;
    // A platform that returns the same expiry again must not get a request before every call.
    if (isUsable(EXPIRY_MARGIN_MS) && wasRefreshedToday(app)) return stored;
    const deadline = begunAt + REFRESH_TRANSACTION_MS - STORE_MS;
    const outcome = await this.request(client, app, stored, { deadline, isUsable: isUsable(EXPIRY_MARGIN_MS) });
    // Only a rejection ends a token that is still valid: other errors may be transient, or the operator's.
    const isRejected = outcome instanceof ReconnectNeeded;
    return outcome instanceof ConnectorError && !isRejected && isUsable(EXPIRY_MARGIN_MS) ? stored : outcome;
  }

  /**
   * `deadline`: time by `performance.now`, the only limit of all requests to the platform. `isUsable`: the stored access token is
   * still valid.
   */
  private async request(
    client: Client,
    app: App,
    stored: OauthCredentials,
    { deadline, isUsable }: { deadline: number; isUsable: boolean },
  ): Promise<OauthCredentials | ConnectorError> {
    const notBefore = (app.refreshRefusedAt?.getTime() ?? 0) + RETRY_MS;
    if (notBefore > Date.now()) return unconfirmedRejection(this.connectors.nameOf(app.provider), notBefore);
    const leftMs = deadline - performance.now();
    if (leftMs < MIN_RESPONSE_MS) return busyApp();
    const signal = AbortSignal.timeout(Math.floor(leftMs));
    try {
      const grant = await this.connectors.getOauth(app.provider).refresh(stored, signal);
      return await this.store(client, app, stored, grant);
    } catch (error) {
      if (error instanceof ConnectorError) return this.recordFailure(client, app, error, isUsable);
      if (signal.aborted) return this.recordFailure(client, app, tooSlow(this.connectors.nameOf(app.provider), error), isUsable);
      throw error;
    }
  }

  private async store(client: Client, app: App, stored: OauthCredentials, grant: TokenGrant): Promise<OauthCredentials> {
    const refreshToken = grant.refreshToken ?? stored.refreshToken;
    const { organizationId, id } = app;
    await client.app.update({
      where: { id },
      data: {
        credentials: await this.credentials.encryptGrant(organizationId, id, grant, refreshToken),
        accessExpiresAt: grant.expiresAt,
        ...(grant.signInAgainAt ? { signInAgainAt: grant.signInAgainAt } : {}),
        lastRefreshAt: new Date(),
        refreshFailingSince: null,
        refreshRefusals: 0,
        refreshRefusedAt: null,
      },
    });
    await this.history.record({ organizationId, appId: id, event: 'refreshed' }, client);
    if (wasGivenUp(app)) await this.reconnect(client, app, grant);
    return { accessToken: grant.accessToken, refreshToken, expiresAt: grant.expiresAt.toISOString() };
  }

  /** The platform has renewed a sign-in that was given up. */
  private async reconnect(client: Client, { organizationId, id, signInAgainAt }: App, grant: TokenGrant): Promise<void> {
    const now = new Date();
    await client.app.update({
      where: { id },
      data: {
        state: connectedState(grant.signInAgainAt ?? signInAgainAt, now),
        failure: Prisma.DbNull,
        needsReauthSince: null,
        nextProbeAt: nextProbeAt(now),
        version: { increment: 1 },
      },
    });
    const query = queryWithin(client, organizationId);
    await this.alerts.recover(query, organizationId, id, ['app.needs_reauth']);
    await this.events.emit(query, 'app.reconnected', { organizationId, appId: id, actor: null });
  }

  /** Marks a rejected sign-in immediately if the platform is sure. Other errors may be transient for up to four days. */
  private async recordFailure(client: Client, app: App, error: ConnectorError, isUsable: boolean): Promise<ConnectorError> {
    const isRejected = error instanceof ReconnectNeeded;
    if (isRejected && error.isUnsure && app.refreshRefusals + 1 < ACCEPTED_REJECTIONS)
      return this.deferRejection(client, app, error);
    if (!isRejected && (isUsable || !hasFailedTooLong(app.refreshFailingSince))) {
      await this.recordFirstFailure(client, app, error);
      return error;
    }
    const outcome = isRejected ? error : givenUp(app.provider, this.connectors.nameOf(app.provider), error);
    await markNeedsReauth(client, { history: this.history, alerts: this.alerts }, app, outcome);
    return outcome;
  }

  /** The row is not locked in the meantime: the next caller retries, and the daily probe within the hour. */
  private async deferRejection(client: Client, app: App, error: ReconnectNeeded): Promise<RetryLater> {
    const now = new Date();
    const retryAt = new Date(now.getTime() + RETRY_MS);
    await client.app.update({
      where: { id: app.id },
      data: { refreshRefusals: { increment: 1 }, refreshRefusedAt: now, nextProbeAt: retryAt },
    });
    await this.recordFirstFailure(client, app, error);
    return unconfirmedRejection(this.connectors.nameOf(app.provider), retryAt.getTime(), error);
  }

  private async recordFirstFailure(client: Client, app: App, { message }: ConnectorError): Promise<void> {
    const { organizationId, id, refreshFailingSince } = app;
    if (refreshFailingSince) return;
    await client.app.update({ where: { id }, data: { refreshFailingSince: new Date() } });
    await this.history.record({ organizationId, appId: id, event: 'refresh_failed', detail: message }, client);
  }
}

export const isValidFor = (credentials: OauthCredentials, marginMs: number): boolean =>
  Date.parse(credentials.expiresAt) - marginMs > Date.now();

const wasRefreshedToday = ({ lastRefreshAt }: App): boolean =>
  lastRefreshAt !== null && Date.now() - lastRefreshAt.getTime() < DAY_MS;

const hasFailedTooLong = (since: Date | null): boolean => since !== null && since.getTime() + GIVE_UP_AFTER_MS < Date.now();

const noop = (): undefined => undefined;
