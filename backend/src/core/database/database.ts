import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Logger } from 'pino';
import { PrismaClient } from '../../generated/prisma/client.js';
import { ENV, type Env } from '../config/env.js';
import { LOGGER } from '../observability/logger.js';

/**
 * How our own SQL reads values: int8 as bigint, because sums of micros pass 2^53, and dates as text, because a calendar day is
 * not a moment. Given with each query and not set for the process: the job queue on the same pool counts on text.
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

/** The process's connections to PostgreSQL: one pool, shared by Prisma, the tenant door and the job queue. */
@Injectable()
export class Database implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  private pinging: Promise<unknown> | undefined;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.pool = new pg.Pool({
      connectionString: env.DATABASE_URL,
      max: env.DATABASE_POOL_SIZE,
      application_name: `tributary-${env.ROLE}`,
    });
    // A broken idle connection is replaced by the pool; without a listener it would end the process.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.prisma = new PrismaClient({ adapter: new PrismaPg(this.pool) });
  }

  async onApplicationBootstrap(): Promise<void> {
    const { rows } = await this.pool.query<{ isSuperuser: boolean }>(
      'select rolsuper as "isSuperuser" from pg_roles where rolname = current_user',
    );
    if (rows[0]?.isSuperuser)
      this.logger.warn('DATABASE_URL names a superuser. Use a role of its own for the application (docs/operations.md).');
  }

  /** Fails when the database does not answer in time. One at a time: pings that hang must not use up the pool. */
  async ping(): Promise<void> {
    this.pinging ??= this.pool.query('select 1').finally(() => {
      this.pinging = undefined;
    });
    const tooLate = delay(PING_TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`no answer within ${PING_TIMEOUT_MS} ms`);
    });
    await Promise.race([this.pinging, tooLate]);
  }

  /** Several statements that hold together or not at all. What belongs to an organization goes through the tenant door. */
  transaction<Result>(work: (query: SqlQuery) => Promise<Result>): Promise<Result> {
    return inTransaction(this.pool, (client) => work(sqlQueryOf(client)));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
    await this.pool.end();
  }
}

/** Sends SQL of no organization. */
export type SqlQuery = <Row extends pg.QueryResultRow>(text: string, parameters?: unknown[]) => Promise<Row[]>;

export const sqlQueryOf =
  (client: pg.PoolClient): SqlQuery =>
  async <Row extends pg.QueryResultRow>(text: string, parameters: unknown[] = []) =>
    (await client.query<Row>({ text, values: parameters, types: OWN_TYPES })).rows;

/** A process that is frozen in a transaction loses it, and the locks it holds, when it counts as dead: its successor need not wait. */
const IDLE_SECONDS = 20;
const BEGIN = `begin; set local idle_in_transaction_session_timeout = '${IDLE_SECONDS}s'`;

export async function inTransaction<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query(BEGIN);
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot even roll back is thrown away.
    await client.query('rollback').then(
      () => client.release(),
      (rollbackError: Error) => client.release(rollbackError),
    );
    throw error;
  }
}
