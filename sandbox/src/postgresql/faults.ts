import pg from 'pg';
import { InvalidFault, type Fault, type FaultDescription } from '../faults.ts';
import { deleteRecentRows } from './lose-rows.ts';

export const postgresqlFaults: Record<string, FaultDescription> = {
  drop_rows: {
    what: 'The warehouse accepts and acknowledges every row, and silently loses some. Optional: everyNth (default 20), schema (default public)',
  },
  lose_rows: {
    what: 'Rows of the last days disappear from tables, and the warehouse silently loses every row that is written to them. Needs tables. Optional: rows of each account (default 12), schema (default public)',
  },
  refuse: { what: 'The warehouse closes its sessions and rejects new ones' },
};

/** With a fixed search_path, so that objects of the loading role are not used instead of PostgreSQL's own. */
const asSuperuser = 'SECURITY DEFINER SET search_path = pg_catalog, pg_temp';

/** Schema of everything that a fault creates in the warehouse, so that one DROP removes it. */
const faultSchema = 'sandbox_faults';

/** Breaks a real PostgreSQL from inside, so that the fault reaches the product through its own driver. */
export class WarehouseFaults {
  readonly #url: string;
  /** Runs sequentially, because two concurrent cleanups would deadlock on the triggers. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(url: string) {
    this.#url = url;
  }

  apply(fault: Fault): Promise<void> {
    return this.#inTurn(() => {
      if (fault.fault === 'refuse') return this.#refuse();
      return fault.fault === 'lose_rows' ? this.#loseRows(fault.parameters) : this.#dropRows(fault.parameters);
    });
  }

  clear(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#withServer(async (client, database) => {
        await client.query(`ALTER DATABASE ${pg.escapeIdentifier(database)} WITH ALLOW_CONNECTIONS true`);
      });
      await withClient(this.#url, removeTriggers);
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #dropRows({ everyNth = 20, schema = 'public' }: Record<string, unknown>): Promise<void> {
    if (!Number.isInteger(everyNth) || Number(everyNth) < 1)
      throw new InvalidFault('everyNth must be a whole number of at least 1');
    if (typeof schema !== 'string') throw new InvalidFault('schema must be text');
    await withClient(this.#url, async (client) => {
      await removeTriggers(client);
      await addTriggers(client, Number(everyNth), schema);
    });
  }

  async #loseRows({ schema = 'public', ...parameters }: Record<string, unknown>): Promise<void> {
    if (typeof schema !== 'string') throw new InvalidFault('schema must be text');
    await withClient(this.#url, async (client) => {
      await removeTriggers(client);
      await deleteRecentRows(client, { schema, ...parameters });
      await addTriggers(client, 1, schema, parameters.tables);
    });
  }

  async #refuse(): Promise<void> {
    await this.#withServer(async (client, database) => {
      await client.query(`ALTER DATABASE ${pg.escapeIdentifier(database)} WITH ALLOW_CONNECTIONS false`);
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
    });
  }

  /** From another database of the same server, because a database that rejects connections can be fixed only from outside. */
  async #withServer(work: (client: pg.Client, database: string) => Promise<void>): Promise<void> {
    const url = new URL(this.#url);
    const database = decodeURIComponent(url.pathname.slice(1));
    url.pathname = '/postgres';
    await withClient(url.href, (client) => work(client, database));
  }
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function removeTriggers(client: pg.Client): Promise<void> {
  const installed = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [faultSchema]);
  if (installed.rowCount === 0) return;
  await client.query(`SET client_min_messages = warning; DROP EVENT TRIGGER IF EXISTS ${faultSchema}`);
  const { rows } = await client.query<{ name: string }>(
    'SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = $1 AND tgparentid = 0',
    [faultSchema],
  );
  // One table after the other: a load that runs has locks of several tables, and would deadlock with a transaction that needs all.
  for (const { name } of rows) await client.query(`DROP TRIGGER IF EXISTS ${faultSchema} ON ${name}`);
  await client.query(`DROP SCHEMA IF EXISTS ${faultSchema} CASCADE`);
}

/** Adds the triggers, one table after the other as well. */
async function addTriggers(client: pg.Client, everyNth: number, schema: string, tables?: unknown): Promise<void> {
  await client.query(dropRowsSql(everyNth, schema, tables));
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')`,
    [schema],
  );
  for (const { name } of rows)
    await client.query(`SELECT ${faultSchema}.infest(c.oid) FROM pg_class c WHERE c.oid = to_regclass($1)`, [name]);
}

/**
 * A row trigger that returns NULL makes PostgreSQL skip the row and report success, for COPY, INSERT and MERGE. The event trigger
 * adds it to tables that are created later. The counter is a sequence, shared by all tables.
 */
function dropRowsSql(everyNth: number, schema: string, tables?: unknown): string {
  const target = pg.escapeLiteral(schema);
  const names = Array.isArray(tables) ? tables.map((table) => pg.escapeLiteral(String(table))) : null;
  const ofTables = names ? `AND c.relname IN (${names.join(', ')})` : '';
  return `
    CREATE SCHEMA ${faultSchema};
    GRANT USAGE ON SCHEMA ${faultSchema} TO PUBLIC;
    CREATE SEQUENCE ${faultSchema}.row_number;
    CREATE FUNCTION ${faultSchema}.lose_row() RETURNS trigger LANGUAGE plpgsql ${asSuperuser} AS $$
    BEGIN
      IF nextval('${faultSchema}.row_number') % ${everyNth} = 0 THEN RETURN NULL; END IF;
      RETURN NEW;
    END $$;
    CREATE FUNCTION ${faultSchema}.infest(only_table regclass) RETURNS void LANGUAGE plpgsql ${asSuperuser} AS $$
    DECLARE victim regclass;
    BEGIN
      FOR victim IN
        SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = ${target} AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND NOT starts_with(c.relname, '_tributary') ${ofTables}
          AND c.oid = coalesce(only_table, c.oid)
          AND NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = '${faultSchema}')
      LOOP
        EXECUTE format('CREATE TRIGGER ${faultSchema} BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION ${faultSchema}.lose_row()', victim);
      END LOOP;
    END $$;
    CREATE FUNCTION ${faultSchema}.infest_new() RETURNS event_trigger LANGUAGE plpgsql ${asSuperuser} AS $$
    BEGIN
      PERFORM ${faultSchema}.infest(NULL);
    END $$;
    CREATE EVENT TRIGGER ${faultSchema} ON ddl_command_end WHEN TAG IN ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO')
      EXECUTE FUNCTION ${faultSchema}.infest_new();`;
}
