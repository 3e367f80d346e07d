import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { z } from 'zod';
import { OutboxKind } from '../../generated/prisma/enums.js';
import { Database, type SqlQuery } from '../database/database.js';
import { newId } from '../database/identifiers.js';
import { defineScheduledJob, defineJob, queueJob } from '../jobs/define-job.js';
import { Jobs } from '../jobs/jobs.js';
import { LOGGER } from '../observability/logger.js';
import { Secrets } from '../encryption/secrets.js';
import type { TenantQuery } from '../database/tenant-database.js';

// SQL: claims a message in one statement that skips locked rows; an insert that keeps the earlier message.

const deliverOutbox = defineJob(
  'deliver-outbox',
  z.object({
    kind: z.enum(OutboxKind),
    /** Queued every minute: checks whether an unavailable receiver is available again. */
    isRound: z.boolean().optional(),
  }),
);
const deliverDueOutbox = defineScheduledJob('deliver-due-outbox', 'every-minute');

export interface OutboxMessage {
  /** Generated unless given. */
  id?: string;
  kind: OutboxKind;
  /** Name of the mail or event. */
  name: string;
  content: object;
  /** A second message with the same key is not stored. */
  onceKey?: string;
  /** Messages of one sequence are delivered in the order in which they were stored. */
  sequence?: string;
  /** The user that the event is about. */
  userId?: string;
}

interface ClaimedMessage {
  id: string;
  name: string;
  content: string;
  attempts: number;
}

/** Sends one message; throws on failure. It can receive the same message twice, because a worker can crash after sending. */
export type Deliver = (message: { id: string; name: string; content: unknown }) => Promise<void>;

/** A permanent failure: a retry would fail in the same way. */
export class Undeliverable extends Error {
  override name = 'Undeliverable';
}

/** No message of this kind can be delivered now, so the other messages are not attempted. */
export class ReceiverUnavailable extends Error {
  override name = 'ReceiverUnavailable';

  /**
   * @param isConfigurationError the receiver rejects the operator's settings. Messages wait until the settings are fixed, mails at most
   *   seven days
   */
  constructor(
    message: string,
    readonly isConfigurationError: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const PURPOSE = 'outbox';
const DAY_MS = 86_400_000;
/** An invitation is valid for as long, and an older notice would confuse: a mail server may be set long after the installation. */
const MAIL_VALID_DAYS = 7;
/** With the retry delays below: about two days. */
const MOST_ATTEMPTS = 18;
/**
 * Retry delay: 15 s, doubled each time, at most 6 h. Also the duration of a claim, so that a crashed worker's message is retried.
 */
const NEXT_ATTEMPT = `now() + least(interval '6 hours', interval '15 seconds' * power(2, attempts))`;
/** While a receiver is unavailable, new messages do not trigger attempts. The job of every minute checks the receiver. */
const PAUSE_MS = 60_000;

/** Each kind has a separate queue, so that an unresponsive receiver blocks one job slot and no messages of other kinds. */
const queueOf = (kind: OutboxKind): string => `outbox:${kind}`;

/** Messages to external services are stored in the transaction of the change and delivered by the worker, despite outages. */
@Injectable()
export class Outbox implements OnModuleInit {
  private readonly deliverers = new Map<OutboxKind, Deliver>();
  private readonly pausedUntil = new Map<OutboxKind, number>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly secrets: Secrets,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(deliverOutbox, (payload, { signal }) => this.work(payload, signal));
    this.jobs.handle(deliverDueOutbox, () => this.queueRounds());
  }

  /** Messages of a kind without a registered deliverer stay queued. */
  register(kind: OutboxKind, deliver: Deliver): void {
    this.deliverers.set(kind, deliver);
  }

  canDeliver(kind: OutboxKind): boolean {
    return this.deliverers.has(kind);
  }

  /** Part of the caller's transaction. The job has no key, because callers would wait for each other's transactions. */
  async add(query: TenantQuery, message: OutboxMessage): Promise<void> {
    const { id = newId(), kind, name, onceKey = null, sequence = null, userId = null } = message;
    const added = await query(
      `insert into outbox_messages (organization_id, id, kind, name, content, once_key, sequence, user_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (once_key) do nothing returning id`,
      [id, kind, name, this.secrets.wrap(PURPOSE, message.content), onceKey, sequence, userId],
    );
    if (added.length > 0 && this.canDeliver(kind)) await queueJob(query, deliverOutbox, { kind }, { queue: queueOf(kind) });
  }

  /** Delivers the due messages of a kind, one after the other, until none is left or the receiver is unavailable. */
  async deliverDue(kind: OutboxKind, signal?: AbortSignal): Promise<void> {
    const deliver = this.deliverers.get(kind);
    if (!deliver) return;
    if (kind === 'mail') await this.expireMails();
    while (!signal?.aborted) {
      const message = await this.claim(kind);
      if (!message) break;
      if (!(await this.deliver(deliver, message))) {
        this.pausedUntil.set(kind, Date.now() + PAUSE_MS);
        return;
      }
    }
    this.pausedUntil.delete(kind);
  }

  private async expireMails(): Promise<void> {
    const expired = await this.database.prisma.outboxMessage.updateMany({
      where: { kind: 'mail', state: 'queued', createdAt: { lt: new Date(Date.now() - MAIL_VALID_DAYS * DAY_MS) } },
      data: { state: 'failed', content: null, lastError: `The mail is too old: it was not sent for ${MAIL_VALID_DAYS} days.` },
    });
    if (expired.count > 0) this.logger.warn({ mails: expired.count }, 'mails that are too old were not sent');
  }

  private async work({ kind, isRound }: z.infer<typeof deliverOutbox.schema>, signal: AbortSignal): Promise<void> {
    const isPaused = Date.now() < (this.pausedUntil.get(kind) ?? 0);
    if (isRound || !isPaused) await this.deliverDue(kind, signal);
  }

  /** For retries, and for messages that were stored while no receiver was available. */
  private async queueRounds(): Promise<void> {
    for (const kind of this.deliverers.keys()) {
      const queue = queueOf(kind);
      await this.database.transaction((query) =>
        queueJob(withoutOrganization(query), deliverOutbox, { kind, isRound: true }, { key: queue, queue }),
      );
    }
  }

  /** Claims the message that is due longest. Skips a message while an earlier one of its sequence is queued. */
  private async claim(kind: OutboxKind): Promise<ClaimedMessage | undefined> {
    const { rows } = await this.database.pool.query<ClaimedMessage>(
      `update outbox_messages set attempts = attempts + 1, next_attempt_at = ${NEXT_ATTEMPT}
        where id = (
          select m.id from outbox_messages m
           where m.state = 'queued' and m.kind = $1 and m.next_attempt_at <= now()
             and not exists (select from outbox_messages earlier
                              where earlier.sequence = m.sequence and earlier.state = 'queued' and earlier.id < m.id)
           order by m.next_attempt_at, m.id limit 1 for update skip locked)
       returning id, name, content, attempts`,
      [kind],
    );
    return rows[0];
  }

  /** Returns false when the receiver is unavailable. */
  private async deliver(deliver: Deliver, message: ClaimedMessage): Promise<boolean> {
    const { id, name, content } = message;
    try {
      await deliver({ id, name, content: this.secrets.unwrap(PURPOSE, content) });
      const delivered = { state: 'delivered', deliveredAt: new Date(), content: null, lastError: null } as const;
      await this.database.prisma.outboxMessage.updateMany({ where: { id }, data: delivered });
      return true;
    } catch (error) {
      await this.saveFailure(message, error);
      return !(error instanceof ReceiverUnavailable);
    }
  }

  /** A failure caused by the operator's settings does not count as an attempt. */
  private async saveFailure({ id, name, attempts }: ClaimedMessage, error: unknown): Promise<void> {
    const isConfigurationError = error instanceof ReceiverUnavailable && error.isConfigurationError;
    const hasFailed = !isConfigurationError && (error instanceof Undeliverable || attempts >= MOST_ATTEMPTS);
    const text = isConfigurationError
      ? 'delivery failed: the receiver rejects the settings. Fix them; messages are queued until then, mails at most seven days'
      : 'delivery failed';
    this.logger[hasFailed || isConfigurationError ? 'error' : 'warn']({ err: error, message: id, name, attempts }, text);
    await this.database.prisma.outboxMessage.updateMany({
      where: { id },
      data: {
        lastError: error instanceof Error ? error.message.slice(0, 500) : 'unknown',
        ...(isConfigurationError && { attempts: { decrement: 1 } }),
        ...(hasFailed && { state: 'failed', content: null }),
      },
    });
  }
}

/** For messages about a person without an organization. */
export const withoutOrganization =
  (query: SqlQuery): TenantQuery =>
  (text, parameters = []) =>
    query(text, [null, ...parameters]);
