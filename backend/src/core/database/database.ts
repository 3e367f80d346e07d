import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Logger } from 'pino';
import { type Prisma, PrismaClient } from '../../generated/prisma/client.js';
import { ENV, type Env } from '../config/env.js';
import { WAITS, type Waits } from '../config/waits.js';
import { currentRequest } from '../http/request-context.js';
import { LOGGER } from '../observability/logger.js';
import { CONNECT_TIMEOUT_MS, LimitedClient } from './limited-client.js';
import { prepareScope, scopedPool } from './organization-scope.js';
import { UnpreparedClient } from './unprepared-client.js';

/**
 * Type parsers of the product's SQL: int8 as bigint, because sums of micros exceed 2^53, and dates as text, because a calendar
 * day has no time zone. They are passed with each query, because the job queue uses the same pool and expects text.
 */
const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: BigInt,
  [pg.types.builtins.DATE]: (text) => text,
};
export const OWN_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (format !== 'binary' && parsers[Number(oid)]) || pg.types.getTypeParser(oid, format),
};

/** Shorter than load balancers wait for a readiness check. */
const PING_TIMEOUT_MS = 2_000;
/** PgBouncer itself gives up after 120 s by default (query_wait_timeout). */
const POOLER_TIMEOUT_MS = 130_000;
/** An idle connection is checked after this time, and ends when the server does not respond for about as long. */
const KEEP_ALIVE_MS = 10_000;

/**
 * Prisma's adapter sends moments in UTC without their zone, and the server would read them in its own time zone. The pool waits for
 * the result, although its types do not say so. A pooler executes the statements of a client in several sessions, where prepared
 * statements are unknown.
 */
async function prepareSession(client: pg.ClientBase): Promise<void> {
  // A pooler accepts a connection at once, and the first statement waits for one of the server.
  const isPooled = client instanceof UnpreparedClient;
  await client.query(limited(`set time zone 'UTC'`, isPooled ? POOLER_TIMEOUT_MS : CONNECT_TIMEOUT_MS));
  if (!isPooled) await prepareScope(client, CONNECT_TIMEOUT_MS);
}

/** A statement with its own limit. The types of pg leave it out. */
const limited = (text: string, timeoutMs: number): pg.QueryConfig => Object.assign({ text }, { query_timeout: timeoutMs });

function openPool(connectionString: string, env: Env, waits: Waits, Client: typeof LimitedClient): pg.Pool {
  const pool = new pg.Pool({
    Client,
    connectionString,
    max: env.DATABASE_POOL_SIZE,
    query_timeout: waits.databaseAnswerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: `tributary-${env.ROLE}`,
    onConnect: (client): unknown => prepareSession(client),
  });
  // The pool replaces a broken idle connection. Without an error listener the process would exit.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The process's PostgreSQL connections: one pool, shared by Prisma, TenantDatabase and the job queue. */
@Injectable()
export class Database implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly pool: pg.Pool;
  /** Sessions that keep a state between transactions: listeners and locks. The same as `pool` without a pooler. */
  readonly sessions: pg.Pool;
  readonly prisma: PrismaClient;
  private readonly organization = new AsyncLocalStorage<string>();
  private pinging: Promise<unknown> | undefined;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WAITS) waits: Waits,
  ) {
    const { DATABASE_URL, DIRECT_DATABASE_URL } = env;
    this.pool = openPool(DATABASE_URL, env, waits, DIRECT_DATABASE_URL ? UnpreparedClient : LimitedClient);
    this.sessions = DIRECT_DATABASE_URL ? openPool(DIRECT_DATABASE_URL, env, waits, LimitedClient) : this.pool;
    this.prisma = new PrismaClient({ adapter: new PrismaPg(scopedPool(this.pool, () => this.organization.getStore() ?? null)) });
  }

  async onApplicationBootstrap(): Promise<void> {
    const { rows } = await this.pool.query<{ isSuperuser: boolean; isRestricted: boolean | null }>(
      `select rolsuper as "isSuperuser", row_security_active(to_regclass('organizations')) as "isRestricted" from pg_roles where rolname = current_user`,
    );
    const roles = 'Create a separate role for the application (docs/operations.md).';
    if (rows[0]?.isSuperuser) this.logger.warn(`DATABASE_URL uses a superuser. ${roles}`);
    else if (rows[0]?.isRestricted === false)
      this.logger.warn(`DATABASE_URL uses the owner of the tables, to which row-level security does not apply. ${roles}`);
  }

  /**
   * Fails when the database does not respond in time. Only one ping runs at a time, so that slow pings cannot exhaust the pool. Its
   * statement is limited too: the response of a database that has disappeared never arrives, not even after the database is back.
   */
  async ping(): Promise<void> {
    this.pinging ??= this.pool.query(limited('select 1', PING_TIMEOUT_MS)).finally(() => {
      this.pinging = undefined;
    });
    const tooLate = delay(PING_TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`no response within ${PING_TIMEOUT_MS} ms`);
    });
    await Promise.race([this.pinging, tooLate]);
  }

  /** Runs several statements in one transaction. Use TenantDatabase for tables of an organization. */
  transaction<Result>(work: (query: SqlQuery) => Promise<Result>): Promise<Result> {
    return inTransaction(this.pool, async (client) => {
      const result = await work(sqlQueryOf(client));
      await currentRequest().beforeCommit?.(sqlQueryOf(client));
      return result;
    });
  }

  /** Statements of Prisma's client that `work` sends only see the rows of the organization. For TenantDatabase. */
  scopePrisma<Result>(organizationId: string, work: () => PromiseLike<Result>): Promise<Result> {
    // Prisma sends a statement when its promise is awaited.
    return this.organization.run(organizationId, async () => await work());
  }

  /** One unit of work: Prisma's client and SQL in the same transaction. Use TenantDatabase for tables of an organization. */
  write<Result>(work: (transaction: Prisma.TransactionClient, query: SqlQuery) => Promise<Result>): Promise<Result> {
    return this.prisma.$transaction(async (transaction) => {
      await transaction.$executeRawUnsafe(SET_IDLE_LIMIT);
      const result = await work(transaction, sqlWithin(transaction));
      await currentRequest().beforeCommit?.(sqlWithin(transaction));
      return result;
    }, TRANSACTION_LIMITS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
    await this.pool.end();
    if (this.sessions !== this.pool) await this.sessions.end();
  }
}

/** Runs SQL that is not limited to one organization. */
export type SqlQuery = <Row extends pg.QueryResultRow>(text: string, parameters?: unknown[]) => Promise<Row[]>;

export const sqlQueryOf =
  (client: pg.PoolClient): SqlQuery =>
  async <Row extends pg.QueryResultRow>(text: string, parameters: unknown[] = []) =>
    (await client.query<Row>({ text, values: parameters, types: OWN_TYPES })).rows;

/**
 * A frozen process loses its transaction and its locks after this time, when it counts as crashed. Other workers then continue.
 */
export const IDLE_LIMIT = '15s';
export const SET_IDLE_LIMIT = `set local idle_in_transaction_session_timeout = '${IDLE_LIMIT}'`;
const BEGIN = `begin; ${SET_IDLE_LIMIT}`;

/** Prisma's own limits of 2 and 5 s would fail requests that wait for a lock or for a connection of the pool. */
export const TRANSACTION_LIMITS = { maxWait: 60_000, timeout: 60_000 };

/** Runs SQL within a transaction of Prisma's client. */
export const sqlWithin =
  (transaction: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>): SqlQuery =>
  (text, parameters = []) =>
    transaction.$queryRawUnsafe(text, ...parameters);

/** @param settings further commands at the start of the transaction */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
  settings = '',
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query(`${BEGIN}; ${settings}`);
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot roll back is discarded.
    await client.query('rollback').then(
      () => client.release(),
      (rollbackError: Error) => client.release(rollbackError),
    );
    throw error;
  }
}
