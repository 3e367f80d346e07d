import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { OutboxKind } from '../generated/prisma/enums.js';
import { Database, type SqlQuery } from './database.js';
import { newId } from './identifiers.js';
import { Jobs } from './jobs.js';
import { LOGGER } from './logger.js';
import { Secrets } from './secrets.js';
import type { TenantQuery } from './tenant.js';

export interface OutboxMessage {
  /** Made here unless given. */
  id?: string;
  kind: OutboxKind;
  /** What it is called: the name of a mail or of an event. */
  name: string;
  content: object;
  /** A second message with the same key is not written. */
  onceKey?: string;
}

interface ClaimedMessage {
  id: string;
  kind: OutboxKind;
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

const PURPOSE = 'outbox';
/** With the waits below: about two days. */
const MOST_ATTEMPTS = 18;
/** 15 s, doubled each time, at most 6 h. Also how long a claim holds: a worker that dies gives the message back by it. */
const NEXT_ATTEMPT = `now() + least(interval '6 hours', interval '15 seconds' * power(2, attempts))`;

/** What must reach the outside is written in the transaction of its change, and delivered by the worker: an outage of theirs is never ours. */
@Injectable()
export class Outbox implements OnModuleInit {
  private readonly deliverers = new Map<OutboxKind, Deliver>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly secrets: Secrets,
  ) {}

  onModuleInit(): void {
    this.jobs.register('deliver-outbox', (payload) => this.deliver((payload as { id: string }).id));
    this.jobs.register('deliver-due-outbox', () => this.deliverDue(), 'every-minute');
  }

  /** Messages of a kind nobody delivers stay queued. */
  register(kind: OutboxKind, deliver: Deliver): void {
    this.deliverers.set(kind, deliver);
  }

  canDeliver(kind: OutboxKind): boolean {
    return this.deliverers.has(kind);
  }

  /** Part of the caller's transaction. */
  async add(query: TenantQuery, message: OutboxMessage): Promise<void> {
    const { id = newId(), kind, name, onceKey = null } = message;
    await query(
      `with message as (
         insert into outbox_messages (organization_id, id, kind, name, content, once_key)
         values ($1, $2, $3, $4, $5, $6) on conflict (once_key) do nothing returning id)
       select graphile_worker.add_job('deliver-outbox', json_build_object('id', id)) from message where $7`,
      [id, kind, name, this.secrets.wrap(PURPOSE, message.content), onceKey, this.canDeliver(kind)],
    );
  }

  /** Retries what is due, and what was written while nobody could deliver it. */
  async deliverDue(): Promise<void> {
    const { rows } = await this.database.pool.query<{ id: string }>(
      `select id from outbox_messages
        where state = 'queued' and next_attempt_at <= now() and kind = any($1::outbox_kind[])
        order by next_attempt_at limit 500`,
      [[...this.deliverers.keys()]],
    );
    for (const { id } of rows) await this.deliver(id);
  }

  private async deliver(id: string): Promise<void> {
    const { rows } = await this.database.pool.query<ClaimedMessage>(
      `update outbox_messages set attempts = attempts + 1, next_attempt_at = ${NEXT_ATTEMPT}
        where id = $1 and state = 'queued' and next_attempt_at <= now()
       returning id, kind, name, content, attempts`,
      [id],
    );
    const message = rows[0];
    const deliver = message && this.deliverers.get(message.kind);
    if (!message || !deliver) return;
    try {
      await deliver({ id, name: message.name, content: this.secrets.unwrap(PURPOSE, message.content) });
      await this.database.pool.query(
        `update outbox_messages set state = 'delivered', delivered_at = now(), content = null, last_error = null where id = $1`,
        [id],
      );
    } catch (error) {
      await this.keepFailure(message, error);
    }
  }

  private async keepFailure({ id, name, attempts }: ClaimedMessage, error: unknown): Promise<void> {
    const hasFailed = error instanceof Undeliverable || attempts >= MOST_ATTEMPTS;
    this.logger[hasFailed ? 'error' : 'warn']({ err: error, message: id, name, attempts }, 'could not deliver');
    await this.database.pool.query(
      `update outbox_messages set last_error = $2,
              state = case when $3 then 'failed'::outbox_state else state end, content = case when $3 then null else content end
        where id = $1`,
      [id, error instanceof Error ? error.message.slice(0, 500) : 'unknown', hasFailed],
    );
  }
}

/** For messages about a person alone. */
export const withoutOrganization =
  (query: SqlQuery): TenantQuery =>
  (text, parameters = []) =>
    query(text, [null, ...parameters]);
