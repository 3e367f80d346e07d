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
import { IdlePolls } from './idle-polls.js';
import { QueueLength } from './queue-length.js';
import { queuePool } from './queue-pool.js';
import { type JobDefinition, SCHEDULES, type Slots } from './define-job.js';
import { completeIfLocked, type DeathListener, type JobLock, JobLost, unlockDeadWorkers, unlockUnheld } from './worker-locks.js';

// SQL: heartbeats of several workers in one statement (upsert), by the clock of the database.

const AUDIT_CONCURRENCY = 2;
const CONVERSION_CONCURRENCY = 4;
/** Each endpoint uses at most one slot, so that a slow receiver delays only itself. */
const WEBHOOK_CONCURRENCY = 8;
/** Slots of all other jobs. */
const HOUSEKEEPING_CONCURRENCY = 4;
export interface JobContext {
  /** Aborted when this process shuts down. The job then releases its locks. */
  signal: AbortSignal;
}
type Handler<Payload extends object> = (payload: Payload, context: JobContext) => Promise<void>;

/** A defined job with its handler, which receives a validated payload. */
interface HandledJob {
  slots: Slots;
  perform: (stored: unknown, context: JobContext) => Promise<void>;
}

const HEARTBEAT_MS = 3_000;
/**
 * After a gap this long in its own heartbeats, a worker does not check other workers for the same time: the database may have been
 * down, and every worker needs one interval to report again.
 */
const MAX_SILENCE_MS = 2 * HEARTBEAT_MS;
/** For this long after a lost response, the worker looks for jobs that the database locked for it. */
const LOOKED_FOR_MS = 60_000;
/** SQLSTATE of "permission denied". */
const INSUFFICIENT_PRIVILEGE = '42501';

const DAY_MS = 86_400_000;

/**
 * A scheduled job never overlaps with itself. After a long execution it runs once, not once per missed interval. Without a worker
 * or the database at its time a nightly job is queued later, because the next time is a day away.
 */
const roundOf = (name: string, schedule: keyof typeof SCHEDULES): CronItem['options'] => ({
  backfillPeriod: schedule === 'every-night' ? DAY_MS : 0,
  queueName: name,
  jobKey: name,
  jobKeyMode: 'replace',
});

/** The job queue, in the same PostgreSQL. Modules handle their jobs; any process can queue them (`queueJob`). */
@Injectable()
export class Jobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly handled = new Map<string, HandledJob>();
  private readonly clocked: CronItem[] = [];
  private readonly runners: Runner[] = [];
  private readonly workerIds: string[] = [];
  private heartbeat: NodeJS.Timeout | undefined;
  private beating: Promise<void> = Promise.resolve();
  private readonly ending = new AbortController();
  private readonly deathListeners: DeathListener[] = [];
  /** Jobs that this worker is executing. */
  private readonly held = new Set<string>();
  /** Last time that the response to a job request was lost; 0 when no such job is left to find. */
  private lostAtMs = 0;
  private beatenAtMs = Date.now();
  private checksFromMs = 0;
  private readonly length = new QueueLength();

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(WAITS) private readonly waits: Waits,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  handle<Payload extends object>({ name, schema, options }: JobDefinition<Payload>, handle: Handler<Payload>): void {
    const { schedule, slots = 'housekeeping' } = options;
    this.handled.set(name, { slots, perform: (stored, context) => handle(schema.parse(stored), context) });
    if (schedule) this.clocked.push({ task: name, match: SCHEDULES[schedule], options: roundOf(name, schedule) });
  }

  /** Every process knows all jobs of its version, whether it executes them or not. */
  get handledNames(): string[] {
    return [...this.handled.keys()];
  }

  get scheduledNames(): string[] {
    return this.clocked.map(({ task }) => task);
  }

  /** The listener is called for each crashed worker, within the transaction that unlocks its jobs. */
  onWorkerDeath(listener: DeathListener): void {
    this.deathListeners.push(listener);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.checkSchema();
    if (this.env.ROLE !== 'worker' && this.env.ROLE !== 'all') return;
    this.runners.push(
      await this.startRunner('runs', this.env.WORKER_CONCURRENCY),
      await this.startRunner('audits', AUDIT_CONCURRENCY),
      await this.startRunner('conversions', CONVERSION_CONCURRENCY),
      await this.startRunner('webhooks', WEBHOOK_CONCURRENCY),
      await this.startRunner('housekeeping', HOUSEKEEPING_CONCURRENCY, this.clocked),
    );
    this.heartbeat = setInterval(() => {
      this.beating = this.beat();
    }, HEARTBEAT_MS);
  }

  /** Runs before the database connections close, so that running jobs can release their locks. */
  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.runners.splice(0).map((runner) => runner.stop()));
    // Only now: a job may wait for the answer to its last request, and other workers take the jobs of a silent one.
    clearInterval(this.heartbeat);
    // Otherwise it could add this worker again.
    await this.beating;
    if (this.workerIds.length > 0) await this.database.prisma.worker.deleteMany({ where: { id: { in: this.workerIds } } });
  }

  private startRunner(slots: Slots, concurrency: number, clocked: CronItem[] = []): Promise<Runner> {
    const events = new EventEmitter() as WorkerEvents;
    events.on('pool:create', ({ workerPool }) => {
      this.workerIds.push(workerPool.id);
      void this.beat();
    });
    events.on('worker:getJob:error', () => {
      this.lostAtMs = Date.now();
    });
    const idle = new IdlePolls(events, this.waits.queuePollMs, concurrency);
    return run({
      pgPool: queuePool(this.database.pool, this.database.sessions, this.length, idle),
      concurrency,
      // The latency of jobs that become due later: NOTIFY covers only those due at once.
      pollInterval: this.waits.queuePollMs,
      noHandleSignals: true,
      events,
      taskList: this.taskList(slots),
      parsedCronItems: parseCronItems(clocked),
      logger: new GraphileLogger(
        () => (level, message) => this.logger[level === 'warning' ? 'warn' : level === 'error' ? 'error' : 'debug'](message),
      ),
    });
  }

  /** Does nothing after ROLE=migrate has run. A role that owns the database runs missing migrations here. */
  private async checkSchema(): Promise<void> {
    try {
      await runMigrations({ pgPool: this.database.sessions });
    } catch (error) {
      if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
      throw new SettingsError("The job queue's tables are missing or outdated. Run the migrations first (ROLE=migrate).", {
        cause: error,
      });
    }
  }

  private taskList(slots: Slots): TaskList {
    const context: JobContext = { signal: this.ending.signal };
    const taskOf =
      ({ perform }: HandledJob): Task =>
      async (stored, { job: { id, locked_at } }) => {
        this.held.add(id);
        await this.perform({ id, lockedAt: locked_at }, () => perform(stored, context)).finally(() => this.held.delete(id));
      };
    return Object.fromEntries(
      [...this.handled].filter(([, job]) => job.slots === slots).map(([name, job]) => [name, taskOf(job)]),
    );
  }

  /**
   * Completes the job itself. The queue would delete it by its id, even if it was unlocked meanwhile and queued again for the next run.
   * On an error the queue changes a job only if this worker has locked it.
   */
  private async perform(lock: JobLock, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof JobLost)) throw error;
    }
    if (!(await completeIfLocked(this.database.pool, lock, this.workerIds))) throw new JobLost('the job was unlocked meanwhile');
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
      const now = Date.now();
      if (now - this.beatenAtMs > MAX_SILENCE_MS) this.checksFromMs = now + MAX_SILENCE_MS;
      this.beatenAtMs = now;
      await this.length.measure(pool);
      if (this.lostAtMs > 0) await this.unlockUnheld();
      if (now < this.checksFromMs) return;
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
