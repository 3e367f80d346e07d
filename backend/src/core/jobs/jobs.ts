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
  | 'audit-destination';
/** Take minutes and wait for other servers. They have slots of their own, so that they neither delay other jobs nor wait for them. */
const SLOW_JOBS: ReadonlySet<JobName> = new Set<JobName>(['run-sync', 'audit-destination']);
const AUDIT_CONCURRENCY = 2;
/** Slots of all other jobs. */
const HOUSEKEEPING_CONCURRENCY = 4;
/** How the clock starts a job, in UTC. */
const CRON = { 'every-minute': '* * * * *', 'every-quarter-hour': '*/15 * * * *', 'every-night': '17 3 * * *' };
export interface JobContext {
  /** Aborted when this process is asked to end: the job gives back what it holds. */
  signal: AbortSignal;
}
export type Job = (payload: unknown, context: JobContext) => Promise<void>;

/** Anything that sends SQL: the pool, or a transaction that the job must commit with. */
interface SqlExecutor {
  $executeRawUnsafe(text: string, ...parameters: unknown[]): Promise<number>;
}

const HEARTBEAT_MS = 5_000;
/** A worker that was silent for this long itself does not judge others in the same round: the database may have been away. */
const MAX_SILENCE_MS = 2 * HEARTBEAT_MS;
/** For so long after a lost answer the worker looks for jobs that it has locked without knowing. */
const LOOKED_FOR_MS = 60_000;
/** SQLSTATE of "permission denied". */
const INSUFFICIENT_PRIVILEGE = '42501';

/** A round that takes longer than its interval is followed by one, not by as many as were missed, and never runs beside another. */
const roundOf = (name: JobName): CronItem['options'] => ({
  backfillPeriod: 0,
  queueName: name,
  jobKey: name,
  jobKeyMode: 'replace',
});

/** The job queue, on the same PostgreSQL. Rooms register what they can do; any process may ask for it. */
@Injectable()
export class Jobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks = new Map<JobName, Job>();
  private readonly clocked: CronItem[] = [];
  private readonly runners: Runner[] = [];
  private readonly workerIds: string[] = [];
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly ending = new AbortController();
  private readonly deathListeners: DeathListener[] = [];
  /** Jobs that this worker works on. */
  private readonly held = new Set<string>();
  /** When the database may last have handed out a job whose answer was lost; 0 when that was looked after. */
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

  /** Called for each dead worker, within the transaction that unlocks its jobs. */
  onWorkerDeath(listener: DeathListener): void {
    this.deathListeners.push(listener);
  }

  /**
   * Queues a job. With a key, an earlier one that has not begun is replaced; jobs of one named queue run one after the other. Part
   * of the caller's transaction when given one.
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
      await this.startRunner((name) => !SLOW_JOBS.has(name), HOUSEKEEPING_CONCURRENCY, this.clocked),
    );
    this.heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS);
  }

  /** Before the database's connections end: running jobs give back what they hold. */
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

  /** Does nothing when ROLE=migrate has run. A role that owns the database also runs missing migrations here. */
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
      // An error leaves the queue's row alone unless this worker has locked it; a success would delete it.
      if (!(error instanceof JobLost) || !(await completeIfLocked(this.database.pool, jobId, this.workerIds))) throw error;
    }
  }

  /** Says that this worker lives, and gives back the jobs of those that do not. */
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
      this.logger.warn({ workers: dead }, 'unlocked the jobs of dead workers');
    } catch (error) {
      this.logger.warn({ err: error }, 'heartbeat failed');
    }
  }

  private async unlockUnheld(): Promise<void> {
    const count = await unlockUnheld(this.database.pool, this.workerIds, [...this.held]);
    if (count > 0) this.logger.warn({ count }, 'unlocked jobs that were lost with a connection');
    // A job is old enough to be checked only some heartbeats after the error.
    if (Date.now() - this.lostAtMs > LOOKED_FOR_MS) this.lostAtMs = 0;
  }
}
