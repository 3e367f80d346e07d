import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { QueryResultRow } from 'pg';
import { type Prisma, type PrismaClient } from '../../generated/prisma/client.js';
import {
  Database,
  IDLE_LIMIT,
  inTransaction,
  OWN_TYPES,
  SET_IDLE_LIMIT,
  type SqlQuery,
  sqlQueryOf,
  sqlWithin,
  TRANSACTION_LIMITS,
} from './database.js';
import { currentRequest } from '../http/request-context.js';
import { ORGANIZATION_SETTING, runScoped, setOrganization } from './organization-scope.js';

/** Tables that belong to an organization, and its own row. The generated client has one delegate for each. */
const TENANT_MODELS = new Set<string>([
  'Organization',
  'Member',
  'OrganizationLogo',
  'App',
  'OauthState',
  'AppEvent',
  'AppShareLink',
  'Submission',
  'SubmissionStep',
  'PushEndpoint',
  'PushEvent',
  'PushReceipt',
  'Source',
  'Destination',
  'DeliveryLedgerRow',
  'Connection',
  'ConnectionFacts',
  'ConnectionTotals',
  'ConnectionMark',
  'Run',
  'RunSlice',
  'RunLogEntry',
  'Coverage',
  'CoverageChange',
  'Reconciliation',
  'AccountTotal',
  'StreamTarget',
  'DestinationAudit',
  'OfferedSchema',
  'SchemaChange',
  'Backfill',
  'BackfillChunk',
  'Resync',
  'ResyncDay',
  'AccountLookback',
  'SourceReading',
  'ProviderRequestCount',
  'DataKey',
  'Invitation',
  'ApiKey',
  'Subscription',
  'CheckoutSession',
  'StripeEvent',
  'Conversion',
  'ConversionRun',
  'ConversionRequest',
  'ConversionEvent',
  'ConversionCount',
  'Alert',
  'NotificationRule',
  'WebhookEndpoint',
  'WebhookDelivery',
  'Payment',
  'PaymentWebhookEvent',
  'FreshnessDay',
  'FreshnessBadge',
  'PaymentRecurringRevenue',
] satisfies Prisma.ModelName[]);

const WITH_WHERE = new Set([
  'findFirst', 'findFirstOrThrow', 'findMany', 'update', 'updateMany', 'updateManyAndReturn',
  'delete', 'deleteMany', 'count', 'aggregate', 'groupBy', 'upsert',
]); // prettier-ignore

/** `$1`: the organization; `$2`: after how long without a statement PostgreSQL ends the transaction. */
const START_WORK = `select set_config('${ORGANIZATION_SETTING}', $1, true), set_config('idle_in_transaction_session_timeout', $2, true)`;

type Arguments = Record<string, unknown>;

/** Prisma would send those of one tick as one statement, also those of several organizations. `findFirst` needs the same index. */
const BATCHED = new Set(['findUnique', 'findUniqueOrThrow']);

/**
 * The only access to tenant tables. It adds the organization's id to every query and rejects other tables. Row-level security hides
 * the rows of other organizations from all its statements, also from those whose condition is wrong.
 */
@Injectable()
export class TenantDatabase {
  private readonly joined = new AsyncLocalStorage<Joined>();

  constructor(private readonly database: Database) {}

  /** Prisma's client, limited to one organization. */
  of(organizationId: string): TenantClient {
    return this.database.prisma.$extends({
      query: {
        $allModels: {
          $allOperations: ({ model, operation, args, query }) => {
            if (!TENANT_MODELS.has(model))
              throw new Error(`${model} is not a tenant table. Use Database instead of TenantDatabase`);
            if (BATCHED.has(operation)) throw new Error(`Use findFirst instead of ${operation}`);
            const own = model === 'Organization' ? { id: organizationId } : { organizationId };
            const withOwn = scoped(operation, args as Arguments, own) as typeof args;
            return this.database.scopePrisma(organizationId, () => query(withOwn));
          },
        },
      },
    }) as unknown as TenantClient;
  }

  /**
   * One unit of work: a change, its audit entry, its events and its jobs, by Prisma's client and by SQL in the same transaction.
   * @param checkPerson runs first, over all organizations. For limits per person, see `lockPerson`
   * @param limits in milliseconds. `timeout` also limits the time without a statement, for work that waits for another server
   */
  write<Result>(
    organizationId: string,
    work: (transaction: TenantTransaction, query: TenantQuery) => Promise<Result>,
    { checkPerson, limits }: WriteOptions = {},
  ): Promise<Result> {
    const client = this.of(organizationId) as TenantClient & Pick<PrismaClient, '$transaction'>;
    return client.$transaction(
      async (transaction) => {
        if (checkPerson) {
          await transaction.$executeRawUnsafe(SET_IDLE_LIMIT);
          await checkPerson(sqlWithin(transaction));
        }
        await transaction.$queryRawUnsafe(START_WORK, organizationId, limits ? `${limits.timeout}ms` : IDLE_LIMIT);
        const result = await work(transaction, queryWithin(transaction, organizationId));
        await currentRequest().beforeCommit?.(sqlWithin(transaction));
        return result;
      },
      { ...TRANSACTION_LIMITS, ...limits },
    );
  }

  /** SQL for frequent reads. `$1` is always the organization's id. SQL that does not use it is rejected. */
  async query<Row extends QueryResultRow>(organizationId: string, text: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = this.clientOf(organizationId);
    if (client) return runTenantQuery<Row>(client, organizationId, text, parameters);
    const statement = statementOf(organizationId, text, parameters);
    return (await runScoped<Row>(this.database.pool, statement, organizationId)).rows;
  }

  /**
   * Runs all calls of `query` and `transaction` that `work` awaits in one transaction, in any module. A small run would otherwise
   * use dozens of transactions. Not for work that waits for another server. Prisma's client is not part of the transaction.
   */
  async together<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.clientOf(organizationId)) return work();
    const runJoined = async (client: pg.PoolClient) => {
      const joined: Joined = { organizationId, client, isOpen: true };
      try {
        return await this.joined.run(joined, work);
      } finally {
        joined.isOpen = false;
      }
    };
    return inTransaction(this.database.pool, runJoined, setOrganization(organizationId));
  }

  /** Runs several statements in one transaction, each with the same rule as `query`. */
  async transaction<Result>(organizationId: string, work: (query: TenantQuery) => Promise<Result>): Promise<Result> {
    const run = (client: pg.PoolClient) =>
      work((text, parameters = []) => runTenantQuery(client, organizationId, text, parameters));
    const joined = this.clientOf(organizationId);
    if (joined) return run(joined);
    const runAlone = async (client: pg.PoolClient) => {
      const result = await run(client);
      await currentRequest().beforeCommit?.(sqlQueryOf(client));
      return result;
    };
    return inTransaction(this.database.pool, runAlone, setOrganization(organizationId));
  }

  private clientOf(organizationId: string): pg.PoolClient | null {
    const joined = this.joined.getStore();
    return joined?.isOpen && joined.organizationId === organizationId ? joined.client : null;
  }
}

/** The transaction of `together`. Timers that start in it may fire after it ends. */
interface Joined {
  organizationId: string;
  client: pg.PoolClient;
  isOpen: boolean;
}

/** Runs SQL within a transaction of Prisma's client, with the same rule as `query`. */
export const queryWithin =
  (transaction: Pick<TenantClient, '$queryRawUnsafe'>, organizationId: string): TenantQuery =>
  (text, parameters = []) => {
    nameOf(text);
    return transaction.$queryRawUnsafe(text, organizationId, ...parameters);
  };

/** Runs SQL of one organization within a transaction over several organizations, with the same rule as `query`. */
export const queryOf =
  (query: SqlQuery, organizationId: string): TenantQuery =>
  (text, parameters = []) => {
    nameOf(text);
    return query(text, [organizationId, ...parameters]);
  };

/** Runs SQL whose `$1` is the organization's id. */
export type TenantQuery = <Row extends QueryResultRow>(text: string, parameters?: unknown[]) => Promise<Row[]>;

async function runTenantQuery<Row extends QueryResultRow>(
  client: pg.PoolClient,
  organizationId: string,
  text: string,
  parameters: unknown[],
): Promise<Row[]> {
  const result = await client.query<Row>(statementOf(organizationId, text, parameters));
  return result.rows;
}

const statementOf = (organizationId: string, text: string, parameters: unknown[]): pg.QueryConfig => ({
  name: nameOf(text),
  text,
  values: [organizationId, ...parameters],
  types: OWN_TYPES,
});

const names = new Map<string, string>();

/**
 * Each SQL text is checked once and prepared once per connection, because planning takes as long as execution (measured for the
 * list of ten connections: 1.5 ms of 3.2 ms). The texts are constants in the source, so their number is limited.
 */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    if (!/\b(organization_id|organizations)\b[\s\S]*\$1(?!\d)/.test(text))
      throw new Error('A tenant query must compare organization_id with $1');
    name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
}

export type TenantClient = Omit<
  PrismaClient,
  | '$extends'
  | '$transaction'
  | '$on'
  | '$connect'
  | '$disconnect'
  | 'user'
  | 'worker'
  | 'auditEvent'
  | 'outboxMessage'
  | 'idempotencyKey'
  | 'rateCount'
>;

/** Within `write`. */
export type TenantTransaction = TenantClient;

interface WriteOptions {
  checkPerson?: (query: SqlQuery) => Promise<void>;
  limits?: { maxWait: number; timeout: number };
}

/** One unit of work: Prisma's client and SQL in the same transaction. */
export interface TenantWork {
  transaction: TenantTransaction;
  query: TenantQuery;
}

/** @param own the columns with the organization's id */
function scoped(operation: string, args: Arguments, own: object): Arguments {
  const result: Arguments = { ...args };
  if (WITH_WHERE.has(operation)) result['where'] = { ...(args['where'] as object | undefined), ...own };
  if (operation === 'create') result['data'] = { ...(args['data'] as object), ...own };
  if (operation === 'createMany' || operation === 'createManyAndReturn') {
    const rows = Array.isArray(args['data']) ? (args['data'] as object[]) : [args['data'] as object];
    result['data'] = rows.map((row) => ({ ...row, ...own }));
  }
  if (operation === 'upsert') result['create'] = { ...(args['create'] as object), ...own };
  return result;
}
