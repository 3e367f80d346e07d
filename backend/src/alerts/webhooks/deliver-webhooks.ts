import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { ENV, type Env } from '../../core/config/env.js';
import { WAITS, type Waits } from '../../core/config/waits.js';
import { Database } from '../../core/database/database.js';
import { toJson } from '../../core/database/json-column.js';
import { type TenantQuery, type TenantTransaction, TenantDatabase } from '../../core/database/tenant-database.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { type JobContext, Jobs } from '../../core/jobs/jobs.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { Alerts } from '../alerts.service.js';
import { postWebhook, type WebhookAnswer } from './post-webhook.js';
import { signatureHeaders } from './sign-webhook.js';
import { deliverWebhook, failQueuedDeliveries, queueDelivery } from './store-deliveries.js';
import { signingSecretsOf, WebhookSecrets } from './webhook-secrets.js';

// SQL: claims a delivery in one statement, because two workers may hold the same job; locks the endpoint.

const deliverDueWebhooks = defineScheduledJob('deliver-due-webhooks', 'every-minute');

/** Delays before the second and later attempts: about a day and a half in total. */
const RETRY_SECONDS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 57_600];
/** An endpoint whose deliveries failed for this long, without a day between two failures, is disabled. */
const DISABLE_AFTER_DAYS = 5;
const DAY_MS = 86_400_000;
const MAX_HISTORY = 20;
const STORED_DAYS = 30;
/** Deliveries that are overdue by this lost their job. */
const OVERDUE_MS = 10 * 60_000;
const BATCH = 1_000;

interface Claimed extends Record<string, unknown> {
  eventId: string;
  payload: object;
  attempts: number;
  kind: 'signed' | 'slack';
  url: string | null;
  secret: string;
}

/** A deleted `webhook_endpoints e` can still be enabled. */
const RECEIVES = 'e.is_enabled and e.deleted_at is null';

/** An earlier delivery of the sequence of `webhook_deliveries d` that waits. A recovery is not sent before its alert. */
const EARLIER = `from webhook_deliveries earlier
  where earlier.organization_id = d.organization_id and earlier.endpoint_id = d.endpoint_id and earlier.sequence = d.sequence
    and earlier.state = 'queued' and earlier.id < d.id`;

interface Attempt extends WebhookAnswer {
  at: Date;
  durationMs: number;
}

const storedAttempt = z.object({ at: z.coerce.date(), error: z.string().nullable() });

interface LockedEndpoint extends Record<string, unknown> {
  /** Neither disabled nor deleted. */
  isReceiving: boolean;
  failingSince: Date | null;
}

interface Work {
  transaction: TenantTransaction;
  query: TenantQuery;
}

type Job = ReturnType<typeof deliverWebhook.schema.parse>;

/** Sends deliveries. A receiver can get one twice, with the same webhook-id, because a worker can crash after sending. */
@Injectable()
export class DeliverWebhooks implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(WAITS) private readonly waits: Waits,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly secrets: WebhookSecrets,
    private readonly alerts: Alerts,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(deliverWebhook, (payload, context) => this.deliver(payload, context));
    this.jobs.handle(deliverDueWebhooks, () => this.sweep());
  }

  async deliver(job: Job, { signal }: JobContext, now = new Date()): Promise<void> {
    const claimed = await this.claim(job);
    if (!claimed) return this.postpone(job);
    const startedAt = performance.now();
    const answer = await this.send(job, claimed, signal, now);
    const durationMs = Math.round(performance.now() - startedAt);
    const attempt = { ...answer, at: now, durationMs };
    await this.tenants.write(job.organizationId, (transaction, query) =>
      this.save({ transaction, query }, job, claimed, attempt),
    );
  }

  private async claim({ organizationId, deliveryId }: Job): Promise<Claimed | undefined> {
    const [claimed] = await this.tenants.query<Claimed>(
      organizationId,
      `update webhook_deliveries d set attempts = d.attempts + 1 from webhook_endpoints e
        where d.organization_id = $1 and d.id = $2 and d.state = 'queued'
          and e.organization_id = d.organization_id and e.id = d.endpoint_id and ${RECEIVES}
          and not exists (select ${EARLIER})
       returning d.event_id as "eventId", d.payload, d.attempts, e.kind, e.url, e.secret`,
      [deliveryId],
    );
    return claimed;
  }

  /** A delivery that waits for an earlier one is due with its next attempt. Others are delivered or failed already. */
  private async postpone(job: Job): Promise<void> {
    await this.tenants.transaction(job.organizationId, async (query) => {
      const [postponed] = await query<{ nextAttemptAt: Date }>(
        `update webhook_deliveries d
            set next_attempt_at = greatest((select max(earlier.next_attempt_at) ${EARLIER}), now() + make_interval(secs => $3))
           from webhook_endpoints e
          where d.organization_id = $1 and d.id = $2 and d.state = 'queued' and d.sequence is not null
            and e.organization_id = d.organization_id and e.id = d.endpoint_id and ${RECEIVES}
         returning d.next_attempt_at as "nextAttemptAt"`,
        [job.deliveryId, RETRY_SECONDS[0]],
      );
      if (postponed) await queueDelivery(query, job, postponed.nextAttemptAt);
    });
  }

  private async send(
    { organizationId, endpointId }: Job,
    { eventId, payload, kind, url, secret }: Claimed,
    stopping: AbortSignal,
    now: Date,
  ): Promise<WebhookAnswer> {
    const opened = await this.secrets.open(organizationId, endpointId, secret);
    const body = JSON.stringify(payload);
    const message = { id: eventId, timestamp: Math.floor(now.getTime() / 1_000), body };
    const headers = kind === 'signed' ? signatureHeaders(message, signingSecretsOf(opened, now)) : {};
    return postWebhook({
      url: new URL(url ?? opened.url ?? ''),
      body,
      headers: { 'user-agent': 'Tributary-Webhooks/1', ...headers },
      egress: { allowed: this.env.EGRESS_ALLOWED_NETWORKS },
      timeoutMs: this.waits.webhookTimeoutMs,
      stopping,
    });
  }

  private async save(work: Work, job: Job, { attempts }: Claimed, attempt: Attempt): Promise<void> {
    const { transaction, query } = work;
    const { status, excerpt, error, at } = attempt;
    const seconds = RETRY_SECONDS[attempts - 1];
    // The endpoint is locked before its deliveries everywhere.
    const endpoint = await lockEndpoint(query, job.endpointId);
    const delivery = await transaction.webhookDelivery.findFirst({ where: { id: job.deliveryId }, select: { history: true } });
    if (!endpoint || !delivery) return;
    const isRepeated = seconds !== undefined && endpoint.isReceiving;
    const state = error === null ? 'delivered' : isRepeated ? 'queued' : 'failed';
    const nextAttemptAt = new Date(at.getTime() + (seconds ?? 0) * 1_000);
    await transaction.webhookDelivery.update({
      where: { id: job.deliveryId },
      data: {
        ...{ state, nextAttemptAt, responseStatus: status, responseExcerpt: excerpt, lastError: error },
        ...(state === 'delivered' && { deliveredAt: at }),
        history: withAttempt(delivery.history, attempt),
      },
      select: { id: true },
    });
    if (state === 'queued') await queueDelivery(query, job, nextAttemptAt);
    else await queueNext(query, job);
    const isFailing = error !== null && (await hasFailedWithinDay(transaction, job, delivery.history, at));
    const failingSince = (isFailing && endpoint.failingSince) || at;
    await this.saveHealth(work, job, { ...endpoint, failingSince }, attempt);
  }

  private async saveHealth(
    { transaction, query }: Work,
    { organizationId, endpointId }: Job,
    { isReceiving, failingSince }: LockedEndpoint & { failingSince: Date },
    { error, at }: Attempt,
  ): Promise<void> {
    const store = (data: Prisma.WebhookEndpointUpdateInput): Promise<unknown> =>
      transaction.webhookEndpoint.update({ where: { id: endpointId }, data, select: { id: true } });
    if (error === null) return void (await store({ failingSince: null, lastDeliveredAt: at }));
    if (!isReceiving) return;
    if (failingSince.getTime() > at.getTime() - DISABLE_AFTER_DAYS * DAY_MS) return void (await store({ failingSince }));
    await store({ failingSince, isEnabled: false, disabledReason: 'failures' });
    await failQueuedDeliveries(transaction, endpointId, 'The webhook was disabled.');
    const failure = {
      class: 'config',
      code: 'webhook.disabled',
      message: `No delivery has succeeded for ${DISABLE_AFTER_DAYS} days. ${error}`,
      action: 'Correct the receiver, and enable the webhook again',
    };
    await this.alerts.open(query, organizationId, { kind: 'webhook.disabled', subjectId: endpointId, failure });
  }

  /** Intentionally over all organizations: queues deliveries whose job was lost, and deletes old ones. */
  async sweep(): Promise<void> {
    const { webhookDelivery } = this.database.prisma;
    const overdue = await webhookDelivery.findMany({
      where: {
        state: 'queued',
        nextAttemptAt: { lt: new Date(Date.now() - OVERDUE_MS) },
        endpoint: { isEnabled: true, deletedAt: null },
      },
      orderBy: { nextAttemptAt: 'asc' },
      take: BATCH,
      select: { organizationId: true, endpointId: true, id: true },
    });
    for (const { organizationId, endpointId, id: deliveryId } of overdue)
      await this.tenants.transaction(organizationId, (query) => queueDelivery(query, { organizationId, endpointId, deliveryId }));
    await webhookDelivery.deleteMany({ where: { createdAt: { lt: new Date(Date.now() - STORED_DAYS * DAY_MS) } } });
  }
}

/** Locks the endpoint, so that it is disabled and notified once. */
async function lockEndpoint(query: TenantQuery, endpointId: string): Promise<LockedEndpoint | undefined> {
  const [endpoint] = await query<LockedEndpoint>(
    `select ${RECEIVES} as "isReceiving", failing_since as "failingSince" from webhook_endpoints e
      where organization_id = $1 and id = $2 for no key update`,
    [endpointId],
  );
  return endpoint;
}

/**
 * Queues the delivery that waited for this one. It is due with a later attempt that does not happen, if an admin has sent this one again.
 */
async function queueNext(query: TenantQuery, job: Job): Promise<void> {
  const [next] = await query<{ id: string }>(
    `update webhook_deliveries set next_attempt_at = now()
      where organization_id = $1 and id = (
        select later.id from webhook_deliveries ended
          join webhook_deliveries later on later.organization_id = ended.organization_id and later.endpoint_id = ended.endpoint_id
                                       and later.sequence = ended.sequence and later.id > ended.id
         where ended.organization_id = $1 and ended.id = $2 and later.state = 'queued'
         order by later.id limit 1)
     returning id`,
    [job.deliveryId],
  );
  if (next) await queueDelivery(query, { ...job, deliveryId: next.id });
}

/** After a quiet time an old failure says nothing about the receiver, and the five days start again. */
async function hasFailedWithinDay(
  { webhookDelivery }: TenantTransaction,
  { endpointId, deliveryId: id }: Job,
  history: Prisma.JsonValue,
  at: Date,
): Promise<boolean> {
  const dayBefore = new Date(at.getTime() - DAY_MS);
  const last = z.array(storedAttempt).parse(history).at(-1);
  if (last && last.error !== null && last.at > dayBefore) return true;
  // `nextAttemptAt` is the last attempt of a failed delivery, and at most 16 hours after it for one that waits.
  const attempted = { attempts: { gt: 0 }, state: { in: ['queued', 'failed'] } } satisfies Prisma.WebhookDeliveryWhereInput;
  const where = { endpointId, id: { not: id }, ...attempted, nextAttemptAt: { gt: dayBefore } };
  return (await webhookDelivery.findFirst({ where, select: { id: true } })) !== null;
}

/** Keeps the last attempts, the oldest first. */
const withAttempt = (history: Prisma.JsonValue, { at, status, durationMs, error }: Attempt): Prisma.InputJsonValue =>
  toJson([...(Array.isArray(history) ? history : []), { at, status, durationMs, error }].slice(-MAX_HISTORY));
