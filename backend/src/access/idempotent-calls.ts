import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../core/database/database.js';
import { defineScheduledJob } from '../core/jobs/define-job.js';
import { Jobs } from '../core/jobs/jobs.js';
import { Problem } from '../core/http/problem.js';
import type { Execute } from '../core/http/request-context.js';
import { Secrets } from '../core/encryption/secrets.js';
import { deleteOldRateCounts } from '../core/http/rate-limits.js';

// SQL: claims a key in one statement, and compares times by the clock of the database.

const forgetOldCalls = defineScheduledJob('forget-old-calls', 'every-minute');

export interface StoredResponse {
  status: number;
  body: unknown;
}

const PURPOSE = 'idempotency';
/** Responses are stored for so long. */
const KEPT_MS = 24 * 3_600_000;
/** How long a repeated request waits for the first one before it is rejected with a Retry-After header. */
const WAIT_MS = 10_000;
const POLL_MS = 100;
/** Longer than any request: an import may take two minutes, after it has waited for locks and a connection. */
const LONGEST_REQUEST_MS = 5 * 60_000;

/** One execution of a request. The time of its start identifies it: one without a response after the longest time has crashed. */
export interface Attempt {
  caller: string;
  key: string;
  startedAt: Date;
}

/** The first request runs, as this attempt; a repeated one gets the first response. */
export type Start = { attempt: Attempt } | { response: StoredResponse };

interface StoredCall {
  requestHash: string;
  status: number | null;
  answer: string | null;
  /** After it had stored a change. */
  hasCrashed: boolean;
}

/** Status of a request that failed after it had stored a change. */
const UNKNOWN = 500;

/** Stores requests with an idempotency key and their responses. */
@Injectable()
export class IdempotentCalls implements OnModuleInit {
  /** The current key first, then older keys that are still accepted. */
  private readonly hashKeys: Uint8Array[];

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly jobs: Jobs,
  ) {
    this.hashKeys = secrets.deriveKeys('idempotency-request');
  }

  onModuleInit(): void {
    this.jobs.handle(forgetOldCalls, () => this.deleteExpired());
  }

  /** Stores a keyed hash of the request only: a body can contain a password, which a plain hash would let others guess. */
  async begin(caller: string, key: string, request: string): Promise<Start> {
    const hashes = this.hashKeys.map((hashKey) => createHmac('sha256', hashKey).update(request).digest('hex'));
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const startedAt = await this.claim(caller, key, hashes[0] ?? '');
      if (startedAt) return { attempt: { caller, key, startedAt } };
      const row = await this.find(caller, key);
      if (row && !hashes.includes(row.requestHash))
        throw new Problem('idempotency.key_reused', 'This Idempotency-Key was used for another request.');
      if (row?.status != null && row.answer !== null) return { response: { status: row.status, body: this.bodyOf(row.answer) } };
      if (row && (row.status === UNKNOWN || row.hasCrashed)) throw outcomeUnknown();
      if (Date.now() > deadline) {
        throw new Problem('idempotency.in_progress', {
          detail: 'The first request with this Idempotency-Key is still running.',
          action: 'Try again in 5 seconds',
          retryAfterSeconds: 5,
        });
      }
      await wait(POLL_MS);
    }
  }

  /** Runs in the transaction of a change, which fails if another attempt has replaced this one. */
  async markStored(execute: Execute, { caller, key, startedAt }: Attempt): Promise<void> {
    const marked = (await execute(
      `update idempotency_keys set stored_at = coalesce(stored_at, now())
        where caller = $1 and key = $2 and started_at = $3::timestamptz returning true as "isMarked"`,
      [caller, key, startedAt.toISOString()],
    )) as unknown[];
    if (marked.length === 0) throw new Error('another attempt with the same Idempotency-Key has replaced this one');
  }

  /** Changes nothing if another attempt has replaced this one. */
  async finish(attempt: Attempt, { status, body }: StoredResponse): Promise<void> {
    const answer = this.secrets.wrap(PURPOSE, { body });
    await this.database.prisma.idempotencyKey.updateMany({ where: attempt, data: { status, answer } });
  }

  /** The request had no effect, or one that may be repeated. */
  async remove(attempt: Attempt): Promise<void> {
    await this.database.prisma.idempotencyKey.deleteMany({ where: { ...attempt, status: null } });
  }

  /** An unexpected error: the request is not executed again if it has stored a change. */
  async fail(attempt: Attempt): Promise<void> {
    const { prisma } = this.database;
    const where = { ...attempt, status: null };
    const { count } = await prisma.idempotencyKey.deleteMany({ where: { ...where, storedAt: null } });
    if (count === 0) await prisma.idempotencyKey.updateMany({ where, data: { status: UNKNOWN } });
  }

  private bodyOf(answer: string): unknown {
    return (this.secrets.unwrap(PURPOSE, answer) as { body?: unknown }).body;
  }

  private async find(caller: string, key: string): Promise<StoredCall | undefined> {
    const { rows } = await this.database.pool.query<StoredCall>(
      `select request_hash as "requestHash", status, answer,
              stored_at is not null and started_at < now() - interval '${LONGEST_REQUEST_MS} milliseconds' as "hasCrashed"
         from idempotency_keys where caller = $1 and key = $2`,
      [caller, key],
    );
    return rows[0];
  }

  private async claim(caller: string, key: string, requestHash: string): Promise<Date | null> {
    const { rows } = await this.database.pool.query<{ startedAt: Date }>(
      `insert into idempotency_keys (caller, key, request_hash) values ($1, $2, $3)
       on conflict (caller, key) do update set request_hash = excluded.request_hash, status = null, answer = null, stored_at = null, started_at = now()
        where idempotency_keys.started_at < now() - interval '24 hours'
           or (idempotency_keys.status is null and idempotency_keys.stored_at is null
               and idempotency_keys.started_at < now() - interval '${LONGEST_REQUEST_MS} milliseconds')
       returning started_at as "startedAt"`,
      [caller, key, requestHash],
    );
    return rows[0]?.startedAt ?? null;
  }

  private async deleteExpired(): Promise<void> {
    await this.database.prisma.idempotencyKey.deleteMany({ where: { startedAt: { lt: new Date(Date.now() - KEPT_MS) } } });
    await deleteOldRateCounts(this.database);
  }
}

const outcomeUnknown = (): Problem =>
  new Problem('idempotency.outcome_unknown', {
    detail: 'The first request with this Idempotency-Key stored a change and then failed. It is not executed again.',
    action: 'Check whether what it creates exists. If it does not, send the request with another key',
  });
