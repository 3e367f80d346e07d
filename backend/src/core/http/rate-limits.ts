import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { addressOf, networkOf } from './address.js';
import { Database } from '../database/database.js';
import { ENV, type Env } from '../config/env.js';
import { LOGGER } from '../observability/logger.js';
import { Problem } from './problem.js';

// SQL: adds to many counters and returns them in one statement (upsert with unnest).

const WINDOW_SECONDS = 60;
const SYNC_MS = 1_000;
/** Counts of a window that has ended may still be sent. */
const KEPT_MS = 10 * 60_000;
/** Health checks are not counted: load balancers call them every second, possibly from the same address as all requests. */
const PROBES = ['/healthz', '/readyz'];

export type RateSubject = 'user' | 'organization' | 'address' | 'push_key' | 'check';

interface Count {
  /** Requests in this window: of this process, and of other processes as of the last sync. */
  calls: number;
  /** Requests of this process that are not yet added to the shared count. */
  unsent: number;
}

/**
 * Rate limits with fixed windows of one minute. Requests are counted in memory, so a request needs no query. Every second the
 * counts are added up in PostgreSQL, so that all API processes share them. A process without a database connection counts alone.
 * For up to a second, n processes may together exceed a limit by n times its remainder. That is enough to protect the service.
 */
@Injectable()
export class RateLimits implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly counts = new Map<string, Count>();
  private windowStart = currentWindow();
  private timer: NodeJS.Timeout | undefined;
  private readonly limits: Record<RateSubject, number>;

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
  ) {
    this.limits = {
      user: env.RATE_LIMIT_PER_USER,
      organization: env.RATE_LIMIT_PER_ORGANIZATION,
      address: env.RATE_LIMIT_PER_ADDRESS,
      push_key: env.RATE_LIMIT_PER_PUSH_KEY,
      check: env.RATE_LIMIT_CHECKS_PER_ORGANIZATION,
    };
  }

  onApplicationBootstrap(): void {
    if (this.env.RATE_LIMITS === 'on' && this.env.ROLE !== 'worker')
      this.timer = setInterval(() => void this.share(), SYNC_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Counts a request and sets the RateLimit headers. Throws when the limit is exceeded. */
  count(subject: RateSubject, id: string, response: Response): void {
    if (this.env.RATE_LIMITS === 'off') return;
    this.turnWindow();
    const key = `${subject}:${subject === 'address' ? networkOf(id) : id}`;
    const count = this.counts.get(key) ?? { calls: 0, unsent: 0 };
    this.counts.set(key, count);
    count.calls += 1;
    count.unsent += 1;
    const limit = this.limits[subject];
    const left = Math.max(0, limit - count.calls);
    const resetSeconds = Math.max(1, Math.ceil(this.windowStart + WINDOW_SECONDS - Date.now() / 1_000));
    // Address, person and organization are counted in this order. The headers show the last one, or the exceeded one.
    response.setHeader('RateLimit-Policy', `"${subject}";q=${limit};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit', `"${subject}";r=${left};t=${resetSeconds}`);
    if (count.calls > limit) {
      throw new Problem('rate_limit.exceeded', {
        detail: detailOf(subject, limit),
        action: `Try again in ${resetSeconds} s`,
        retryAfterSeconds: resetSeconds,
      });
    }
  }

  /** Runs before any body is read, so that unknown routes and invalid bodies are counted too. */
  countAddress(request: Request, response: Response, next: NextFunction): void {
    if (!PROBES.includes(request.path)) this.count('address', addressOf(request) ?? 'unknown', response);
    next();
  }

  /** Adds new requests to the shared counts and reads the counts of the other processes: one statement per second. */
  async share(): Promise<void> {
    this.turnWindow();
    const fresh = [...this.counts].filter(([, count]) => count.unsent > 0);
    if (fresh.length === 0) return;
    const sent = new Map(fresh.map(([subject, count]) => [subject, count.unsent]));
    for (const [, count] of fresh) count.unsent = 0;
    const window = this.windowStart;
    try {
      const { rows } = await this.database.pool.query<{ subject: string; calls: number }>(
        `insert into rate_counts (subject, window_start, calls)
         select subject, to_timestamp($3), calls from unnest($1::text[], $2::int[]) as fresh (subject, calls) order by subject
         on conflict (subject, window_start) do update set calls = rate_counts.calls + excluded.calls
         returning subject, calls`,
        [[...sent.keys()], [...sent.values()], window],
      );
      if (window === this.windowStart) for (const row of rows) this.setShared(row.subject, row.calls);
    } catch (error) {
      if (window === this.windowStart) for (const [subject, calls] of sent) this.restoreUnsent(subject, calls);
      this.logger.warn({ err: error }, 'failed to share rate limit counts with other processes');
    }
  }

  private setShared(subject: string, calls: number): void {
    const count = this.counts.get(subject);
    if (count) count.calls = calls + count.unsent;
  }

  private restoreUnsent(subject: string, calls: number): void {
    const count = this.counts.get(subject);
    if (count) count.unsent += calls;
  }

  private turnWindow(): void {
    const now = currentWindow();
    if (now === this.windowStart) return;
    this.windowStart = now;
    this.counts.clear();
  }
}

const detailOf = (subject: RateSubject, limit: number): string =>
  subject === 'check'
    ? `The limit is ${limit} requests that contact hosts of users per minute per organization.`
    : `The limit is ${limit} requests per minute per ${subject.replace('_', ' ')}.`;

const currentWindow = (): number => Math.floor(Date.now() / 1_000 / WINDOW_SECONDS) * WINDOW_SECONDS;

/** Counts of windows that have ended. */
export async function deleteOldRateCounts({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  await prisma.rateCount.deleteMany({ where: { windowStart: { lt: new Date(Date.now() - KEPT_MS) } } });
}
