import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { OutboxKind } from '../../generated/prisma/enums.js';
import { Database, type SqlQuery } from '../database/database.js';
import { newId } from '../database/identifiers.js';
import { Jobs } from '../jobs/jobs.js';
import { LOGGER } from '../observability/logger.js';
import { Secrets } from '../encryption/secrets.js';
import type { TenantQuery } from '../database/tenant-database.js';

export interface OutboxMessage {
  /** Made here unless given. */
  id?: string;
  kind: OutboxKind;
  /** What it is called: the name of a mail or of an event. */
  name: string;
  content: object;
  /** A second message with the same key is not written. */
  onceKey?: string;
  /** Messages of one sequence are delivered in the order they were written. */
  sequence?: string;
  /** Whose doing the product itself tells of. */
  userId?: string;
}

interface ClaimedMessage {
  id: string;
  name: string;
  content: string;
  attempts: number;
}

/** Sends one message; throws when it could not. It may get the same message twice: a worker can die after sending. */
export type Deliver = (message: { id: string; name: string; content: unknown }) => Promise<void>;

/** Trying again would change nothing. */
export class Undeliverable extends Error {
  override name = 'Undeliverable';
}

/** Nothing of the kind can be delivered for now: the others need not be tried. */
export class ReceiverUnavailable extends Error {
  override name = 'ReceiverUnavailable';

  /** @param isOursToMend the operator's settings are refused: messages wait for better ones, however long */
  constructor(
    message: string,
    readonly isOursToMend: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const PURPOSE = 'outbox';
/** With the waits below: about two days. */
const MOST_ATTEMPTS = 18;
/** 15 s, doubled each time, at most 6 h. Also how long a claim holds: a worker that dies gives the message back by it. */
const NEXT_ATTEMPT = `now() + least(interval '6 hours', interval '15 seconds' * power(2, attempts))`;
/** While a receiver is not there, new messages do not each look for it: the round of every minute does. */
const REST_MS = 60_000;

/** Each kind has a queue of its own: a receiver that hangs holds one job of all workers' and nobody else's messages. */
const queueOf = (kind: OutboxKind): string => `outbox:${kind}`;

/** What must reach the outside is written in the transaction of its change, and delivered by the worker: an outage of theirs is never ours. */
@Injectable()
export class Outbox implements OnModuleInit {
  private readonly deliverers = new Map<OutboxKind, Deliver>();
  private readonly restsUntil = new Map<OutboxKind, number>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly secrets: Secrets,
  ) {}

  onModuleInit(): void {
    this.jobs.register('deliver-outbox', (payload, { signal }) => this.work(payload as OutboxJob, signal));
    this.jobs.register('deliver-due-outbox', () => this.queueRounds(), 'every-minute');
  }

  /** Messages of a kind nobody delivers stay queued. */
  register(kind: OutboxKind, deliver: Deliver): void {
    this.deliverers.set(kind, deliver);
  }

  canDeliver(kind: OutboxKind): boolean {
    return this.deliverers.has(kind);
  }

  /** Part of the caller's transaction. The job has no key: callers would wait for each other's transactions. */
  async add(query: TenantQuery, message: OutboxMessage): Promise<void> {
    const { id = newId(), kind, name, onceKey = null, sequence = null, userId = null } = message;
    await query(
      `with message as (
         insert into outbox_messages (organization_id, id, kind, name, content, once_key, sequence, user_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (once_key) do nothing returning kind)
       select graphile_worker.add_job('deliver-outbox', json_build_object('kind', kind), queue_name => $9) from message where $10`,
      [
        id,
        kind,
        name,
        this.secrets.wrap(PURPOSE, message.content),
        onceKey,
        sequence,
        userId,
        queueOf(kind),
        this.canDeliver(kind),
      ],
    );
  }

  /** Delivers what is due of a kind, one after the other, until there is nothing or the receiver is not there. */
  async deliverDue(kind: OutboxKind, signal?: AbortSignal): Promise<void> {
    const deliver = this.deliverers.get(kind);
    if (!deliver) return;
    while (!signal?.aborted) {
      const message = await this.claim(kind);
      if (!message) break;
      if (!(await this.deliver(deliver, message))) {
        this.restsUntil.set(kind, Date.now() + REST_MS);
        return;
      }
    }
    this.restsUntil.delete(kind);
  }

  private async work({ kind, isRound }: OutboxJob, signal: AbortSignal): Promise<void> {
    const isResting = Date.now() < (this.restsUntil.get(kind) ?? 0);
    if (isRound || !isResting) await this.deliverDue(kind, signal);
  }

  /** For what is to be tried again, and what was written while nobody could deliver it. */
  private async queueRounds(): Promise<void> {
    for (const kind of this.deliverers.keys()) {
      const queue = queueOf(kind);
      await this.jobs.add('deliver-outbox', { kind, isRound: true } satisfies OutboxJob, { key: queue, queue });
    }
  }

  /** The one longest due; never one whose sequence has an earlier one that still waits. */
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

  /** False: the receiver is not there. */
  private async deliver(deliver: Deliver, message: ClaimedMessage): Promise<boolean> {
    const { id, name, content } = message;
    try {
      await deliver({ id, name, content: this.secrets.unwrap(PURPOSE, content) });
      await this.database.pool.query(
        `update outbox_messages set state = 'delivered', delivered_at = now(), content = null, last_error = null where id = $1`,
        [id],
      );
      return true;
    } catch (error) {
      await this.keepFailure(message, error);
      return !(error instanceof ReceiverUnavailable);
    }
  }

  /** A refusal that is ours to mend counts as no attempt. */
  private async keepFailure({ id, name, attempts }: ClaimedMessage, error: unknown): Promise<void> {
    const isOurs = error instanceof ReceiverUnavailable && error.isOursToMend;
    const hasFailed = !isOurs && (error instanceof Undeliverable || attempts >= MOST_ATTEMPTS);
    const text = isOurs ? 'could not deliver: the settings are refused, and messages wait for better ones' : 'could not deliver';
    this.logger[hasFailed || isOurs ? 'error' : 'warn']({ err: error, message: id, name, attempts }, text);
    await this.database.pool.query(
      `update outbox_messages set last_error = $2, attempts = attempts - case when $4 then 1 else 0 end,
              state = case when $3 then 'failed'::outbox_state else state end, content = case when $3 then null else content end
        where id = $1`,
      [id, error instanceof Error ? error.message.slice(0, 500) : 'unknown', hasFailed, isOurs],
    );
  }
}

interface OutboxJob {
  kind: OutboxKind;
  /** One of every minute's: it looks whether a receiver that was away is there again. */
  isRound?: boolean;
}

/** For messages about a person alone. */
export const withoutOrganization =
  (query: SqlQuery): TenantQuery =>
  (text, parameters = []) =>
    query(text, [null, ...parameters]);
