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
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type { Logger } from 'pino';
import { Database } from './database.js';
import { ENV, type Env, SettingsError } from './env.js';
import { LOGGER } from './logger.js';

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
  | 'reconcile-accounts';
/** Runs take minutes and wait for others' servers: they have slots of their own, so that they hold up nothing else, and nothing them. */
const OF_RUNS: ReadonlySet<JobName> = new Set<JobName>(['run-sync']);
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

/** The poll interval is the latency of jobs that become due later: NOTIFY covers only those due at once. */
const POLL_INTERVAL_MS = 1_000;
const HEARTBEAT_MS = 5_000;
/** A worker silent for this long is dead. Its jobs go on within HEARTBEAT_MS + POLL_INTERVAL_MS of that. */
const DEAD_AFTER_SECONDS = 20;
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

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
  ) {}

  register(name: JobName, job: Job, schedule?: keyof typeof CRON): void {
    this.tasks.set(name, job);
    if (schedule) this.clocked.push({ task: name, match: CRON[schedule], options: roundOf(name) });
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
      await this.startRunner((name) => OF_RUNS.has(name), this.env.WORKER_CONCURRENCY),
      await this.startRunner((name) => !OF_RUNS.has(name), HOUSEKEEPING_CONCURRENCY, this.clocked),
    );
    this.heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS);
  }

  /** Before the database's connections end: running jobs give back what they hold. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.heartbeat);
    this.ending.abort();
    await Promise.all(this.runners.map((runner) => runner.stop()));
    await this.database.pool.query('delete from workers where id = any($1::text[])', [this.workerIds]);
  }

  private startRunner(takes: (name: JobName) => boolean, concurrency: number, clocked: CronItem[] = []): Promise<Runner> {
    const events = new EventEmitter() as WorkerEvents;
    events.on('pool:create', ({ workerPool }) => {
      this.workerIds.push(workerPool.id);
      void this.beat();
    });
    return run({
      pgPool: this.database.pool,
      concurrency,
      pollInterval: POLL_INTERVAL_MS,
      noHandleSignals: true,
      events,
      taskList: this.taskList(takes),
      parsedCronItems: parseCronItems(clocked),
      logger: new GraphileLogger(
        () => (level, message) => this.logger[level === 'warning' ? 'warn' : level === 'error' ? 'error' : 'debug'](message),
      ),
    });
  }

  /** Does nothing when ROLE=migrate has run. A role that owns the database may also do here what is missing. */
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
    const tasks = [...this.tasks].filter(([name]) => takes(name));
    return Object.fromEntries(tasks.map(([name, job]) => [name, (payload: unknown) => job(payload, context)]));
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
      const dead = await pool.query<{ id: string }>(
        `delete from workers where heartbeat_at < now() - make_interval(secs => $1) returning id`,
        [DEAD_AFTER_SECONDS],
      );
      if (dead.rows.length === 0) return;
      const ids = dead.rows.map((row) => row.id);
      await pool.query('select graphile_worker.force_unlock_workers($1)', [ids]);
      this.logger.warn({ workers: ids }, 'gave back the jobs of dead workers');
    } catch (error) {
      this.logger.warn({ err: error }, 'heartbeat failed');
    }
  }
}
