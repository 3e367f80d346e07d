import pg from 'pg';

/**
 * Row-level security: the policies of the tenant tables compare rows with this setting of the transaction. Without it, the
 * application's role sees the rows of all organizations (docs/decisions/0028-row-level-security.md).
 */
export const ORGANIZATION_SETTING = 'tributary.organization_id';
const STATEMENT = { name: 'organization_scope', text: `select set_config('${ORGANIZATION_SETTING}', $1, true)` };

/** Limits the rest of a transaction to one organization. */
export const setOrganization = (organizationId: string): string =>
  `set local ${ORGANIZATION_SETTING} = ${pg.escapeLiteral(organizationId)}`;

/** Prepares the statement on a new session. The types of pg leave the limit out. */
export const prepareScope = (client: pg.ClientBase, timeoutMs: number): Promise<unknown> =>
  client.query(Object.assign({ ...STATEMENT, values: [''] }, { query_timeout: timeoutMs }));

/** What `pg` keeps per session; its types leave it out. */
type Connection = pg.Connection & { parsedStatements: Record<string, string | undefined> };
interface Messages {
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
const messages = pg.Query.prototype as unknown as Messages;

/** What `pg` derives from the description of a statement's columns. Its types leave it out. */
interface Columns {
  fields: unknown[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** A session that has prepared statements. */
class PreparedSession {
  private static readonly sessions = new WeakMap<Connection, PreparedSession>();
  /** By name of the statement. */
  readonly columns = new Map<string, Columns>();
  /** The same connection, which does not ask for descriptions. */
  readonly withoutDescriptions: Connection;

  constructor(connection: Connection) {
    this.withoutDescriptions = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
  }

  static of(connection: Connection): PreparedSession {
    const session = this.sessions.get(connection) ?? new PreparedSession(connection);
    this.sessions.set(connection, session);
    return session;
  }
}

/**
 * One statement that only sees the rows of one organization. The setting and the statement are sent together and executed as one
 * transaction, so that the setting costs no round trip and ends with the statement. `begin`, `set` and `commit` would cost three.
 *
 * The columns of a named statement are described once per session: for a list of 30 columns, sending and reading the description takes
 * as long as reading a few rows. They cannot change: PostgreSQL then rejects the prepared statement.
 */
export class ScopedQuery extends pg.Query implements Messages {
  declare readonly name?: string;
  declare private readonly _result: Columns;
  declare private _accumulateRows: boolean;
  private session: PreparedSession | undefined;
  private isScoped = false;

  constructor(
    statement: pg.QueryConfig,
    private readonly organizationId: string,
  ) {
    // Only the extended protocol can send several statements as one transaction.
    super({ ...statement, queryMode: 'extended' } as pg.QueryConfig);
  }

  prepare(connection: Connection): void {
    const isPrepared = connection.parsedStatements[STATEMENT.name] !== undefined;
    const name = isPrepared ? STATEMENT.name : '';
    if (!isPrepared) connection.parse({ name, text: STATEMENT.text, types: [] }, true);
    connection.bind({ statement: name, values: [this.organizationId] }, true);
    connection.execute({}, true);
    this.session = PreparedSession.of(connection);
    const columns = this.session.columns.get(this.name ?? '');
    if (columns) {
      Object.assign(this._result, columns);
      this._accumulateRows = true;
    }
    messages.prepare.call(this, columns ? this.session.withoutDescriptions : connection);
  }

  handleRowDescription(message: unknown): void {
    messages.handleRowDescription.call(this, message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    if (this.name) this.session?.columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  handleDataRow(message: unknown): void {
    if (this.isScoped) messages.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isScoped) messages.handleCommandComplete.call(this, message, connection);
    this.isScoped = true;
  }
}

/** The pool returns a promise; its types return the statement, as those of a client do. */
export const runScoped = <Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
  organizationId: string,
): Promise<pg.QueryResult<Row>> =>
  pool.query(new ScopedQuery(statement, organizationId)) as unknown as Promise<pg.QueryResult<Row>>;

/**
 * The pool as Prisma's adapter uses it: statements and transactions of `organizationOf()` only see the rows of that organization.
 * @param organizationOf null: all organizations
 */
export function scopedPool(pool: pg.Pool, organizationOf: () => string | null): pg.Pool {
  const query = (statement: pg.QueryConfig): unknown => {
    const organizationId = organizationOf();
    return organizationId ? runScoped(pool, statement, organizationId) : pool.query(statement);
  };
  const connect = async (): Promise<pg.PoolClient> => {
    const organizationId = organizationOf();
    const client = await pool.connect();
    return organizationId ? scopedTransaction(client, organizationId) : client;
  };
  return withMethods(pool, { query, connect });
}

/** The adapter takes a client for each transaction, and starts it with `BEGIN`. */
function scopedTransaction(client: pg.PoolClient, organizationId: string): pg.PoolClient {
  const query = (statement: pg.QueryConfig): unknown =>
    client.query(statement.text === 'BEGIN' ? `begin; ${setOrganization(organizationId)}` : statement);
  return withMethods(client, { query });
}

function withMethods<Target extends object>(target: Target, methods: Record<string, unknown>): Target {
  return new Proxy(target, {
    get(_, key) {
      if (typeof key === 'string' && key in methods) return methods[key];
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
