import { hostname } from 'node:os';
import { Inject, Injectable, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import { EventEmitter } from 'node:events';
import {
  type CronItem,
  Logger as GraphileLogger,
  parseCronItems,
  run,
  runMigrations,
  type Runner,
  type Task,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { ENV, type Env, SettingsError } from '../config/env.js';
import { WAITS, type Waits } from '../config/waits.js';
import { LOGGER } from '../observability/logger.js';
import { Metrics } from '../observability/metrics.js';
import { queuePool } from './queue-pool.js';
import { completeIfLocked, type DeathListener, JobLost, unlockDeadWorkers, unlockUnheld } from './worker-locks.js';

export type JobName =
  | 'run-sync'
  | 'recover-runs'
  | 'schedule-due'
  | 'deliver-outbox'
  | 'deliver-due-outbox'
  | 'purge-deleted'
  | 'purge-things'
  | 'forget-old-calls'
  | 'warn-expiring-keys'
  | 'sync-subscription'
  | 'reconcile-subscriptions'
  | 'access-opened'
  | 'end-billing'
  | 'load-exchange-rates'
  | 'probe-apps'
  | 'probe-app'
  | 'watch-api-versions'
  | 'forget-authorizations'
  | 'forget-run-logs'
  | 'forget-source-readings'
  | 'reconcile-accounts'
  | 'audit-destinations'
  | 'audit-destination'
  | 'run-conversion'
  | 'deliver-event';
/** Jobs that take minutes and wait for other servers. They have separate slots, so that they do not delay other jobs. */
const SLOW_JOBS: ReadonlySet<JobName> = new Set<JobName>(['run-sync', 'audit-destination', 'run-conversion']);
const AUDIT_CONCURRENCY = 2;
const CONVERSION_CONCURRENCY = 4;
/** Slots of all other jobs. */
const HOUSEKEEPING_CONCURRENCY = 4;
/** Schedules in UTC. */
const CRON = { 'every-minute': '* * * * *', 'every-quarter-hour': '*/15 * * * *', 'every-night': '17 3 * * *' };
export interface JobContext {
  /** Aborted when this process shuts down. The job then releases its locks. */
  signal: AbortSignal;
}
export type Job = (payload: unknown, context: JobContext) => Promise<void>;

/** Runs SQL: the pool, or the transaction in which the job is queued. */
interface SqlExecutor {
  $executeRawUnsafe(text: string, ...parameters: unknown[]): Promise<number>;
}

const HEARTBEAT_MS = 5_000;
/**
 * After a gap this long in its own heartbeats, a worker skips the check of other workers once: the database may have been down.
 */
const MAX_SILENCE_MS = 2 * HEARTBEAT_MS;
/** For this long after a lost response, the worker looks for jobs that the database locked for it. */
const LOOKED_FOR_MS = 60_000;
/** SQLSTATE of "permission denied". */
const INSUFFICIENT_PRIVILEGE = '42501';

/** A scheduled job never overlaps with itself. After a long execution it runs once, not once per missed interval. */
const roundOf = (name: JobName): CronItem['options'] => ({
  backfillPeriod: 0,
  queueName: name,
  jobKey: name,
  jobKeyMode: 'replace',
});

/** The job queue, in the same PostgreSQL. Modules register their jobs; any process can queue them. */
@Injectable()
export class Jobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks = new Map<JobName, Job>();
  private readonly clocked: CronItem[] = [];
  private readonly runners: Runner[] = [];
  private readonly workerIds: string[] = [];
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly ending = new AbortController();
  private readonly deathListeners: DeathListener[] = [];
  /** Jobs that this worker is executing. */
  private readonly held = new Set<string>();
  /** Last time that the response to a job request was lost; 0 when no such job is left to find. */
  private lostAtMs = 0;
  private beatenAtMs = Date.now();

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(WAITS) private readonly waits: Waits,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  register(name: JobName, job: Job, schedule?: keyof typeof CRON): void {
    this.tasks.set(name, job);
    if (schedule) this.clocked.push({ task: name, match: CRON[schedule], options: roundOf(name) });
  }

  /** The listener is called for each crashed worker, within the transaction that unlocks its jobs. */
  onWorkerDeath(listener: DeathListener): void {
    this.deathListeners.push(listener);
  }

  /**
   * Queues a job. With a key, it replaces an earlier job that has not started. Jobs of one named queue run one after the other.
   * Part of the caller's transaction when one is given.
   */
  async add(
    name: JobName,
    payload: object,
    options: { key?: string; queue?: string; runAt?: Date; transaction?: SqlExecutor } = {},
  ): Promise<void> {
    const executor = options.transaction ?? this.database.prisma;
    await executor.$executeRawUnsafe(
      'select graphile_worker.add_job($1::text, $2::json, run_at => $3::timestamptz, job_key => $4::text, queue_name => $5::text)',
      name,
      JSON.stringify(payload),
      options.runAt ?? new Date(),
      options.key ?? null,
      options.queue ?? null,
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.checkSchema();
    if (this.env.ROLE !== 'worker' && this.env.ROLE !== 'all') return;
    this.runners.push(
      await this.startRunner((name) => name === 'run-sync', this.env.WORKER_CONCURRENCY),
      await this.startRunner((name) => name === 'audit-destination', AUDIT_CONCURRENCY),
      await this.startRunner((name) => name === 'run-conversion', CONVERSION_CONCURRENCY),
      await this.startRunner((name) => !SLOW_JOBS.has(name), HOUSEKEEPING_CONCURRENCY, this.clocked),
    );
    this.heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS);
  }

  /** Runs before the database connections close, so that running jobs can release their locks. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.heartbeat);
    this.ending.abort();
    await Promise.all(this.runners.map((runner) => runner.stop()));
    if (this.workerIds.length > 0)
      await this.database.pool.query('delete from workers where id = any($1::text[])', [this.workerIds]);
  }

  private startRunner(takes: (name: JobName) => boolean, concurrency: number, clocked: CronItem[] = []): Promise<Runner> {
    const events = new EventEmitter() as WorkerEvents;
    events.on('pool:create', ({ workerPool }) => {
      this.workerIds.push(workerPool.id);
      void this.beat();
    });
    events.on('worker:getJob:error', () => {
      this.lostAtMs = Date.now();
    });
    return run({
      pgPool: queuePool(this.database.pool),
      concurrency,
      // The latency of jobs that become due later: NOTIFY covers only those due at once.
      pollInterval: this.waits.queuePollMs,
      noHandleSignals: true,
      events,
      taskList: this.taskList(takes),
      parsedCronItems: parseCronItems(clocked),
      logger: new GraphileLogger(
        () => (level, message) => this.logger[level === 'warning' ? 'warn' : level === 'error' ? 'error' : 'debug'](message),
      ),
    });
  }

  /** Does nothing after ROLE=migrate has run. A role that owns the database runs missing migrations here. */
  private async checkSchema(): Promise<void> {
    try {
      await runMigrations({ pgPool: this.database.pool });
    } catch (error) {
      if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
      throw new SettingsError("The job queue's tables are missing or outdated. Run the migrations first (ROLE=migrate).", {
        cause: error,
      });
    }
  }

  private taskList(takes: (name: JobName) => boolean): TaskList {
    const context: JobContext = { signal: this.ending.signal };
    const perform =
      (job: Job): Task =>
      async (payload, { job: { id } }) => {
        this.held.add(id);
        await this.perform(id, () => job(payload, context)).finally(() => this.held.delete(id));
      };
    return Object.fromEntries([...this.tasks].filter(([name]) => takes(name)).map(([name, job]) => [name, perform(job)]));
  }

  private async perform(jobId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // On an error the queue changes its row only if this worker has locked it. On success it would delete the row in any case.
      if (!(error instanceof JobLost) || !(await completeIfLocked(this.database.pool, jobId, this.workerIds))) throw error;
    }
  }

  /** Stores this worker's heartbeat and unlocks the jobs of crashed workers. */
  private async beat(): Promise<void> {
    try {
      const { pool } = this.database;
      await pool.query(
        `insert into workers (id, description) select id, $2 from unnest($1::text[]) as own(id)
         on conflict (id) do update set heartbeat_at = now()`,
        [this.workerIds, `${hostname()} pid ${process.pid}`],
      );
      const silentMs = Date.now() - this.beatenAtMs;
      this.beatenAtMs = Date.now();
      if (this.lostAtMs > 0) await this.unlockUnheld();
      if (silentMs > MAX_SILENCE_MS) return;
      const dead = await unlockDeadWorkers(this.database, this.deathListeners);
      if (dead.length === 0) return;
      this.metrics.workerDeaths.inc(dead.length);
      this.logger.warn({ workers: dead }, 'unlocked the jobs of crashed workers');
    } catch (error) {
      this.logger.warn({ err: error }, 'heartbeat failed');
    }
  }

  private async unlockUnheld(): Promise<void> {
    const count = await unlockUnheld(this.database.pool, this.workerIds, [...this.held]);
    if (count > 0) this.logger.warn({ count }, 'unlocked jobs after a lost database connection');
    // A job can be unlocked only several heartbeats after the error.
    if (Date.now() - this.lostAtMs > LOOKED_FOR_MS) this.lostAtMs = 0;
  }
}
