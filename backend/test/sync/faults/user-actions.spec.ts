import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { countOf } from '../../counts.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { daysAgo, destinationBody, expectStatus } from '../../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../../platform-scenario.js';
import { googleAds } from '../../platforms.js';
import { comparedColumns, pick, randomOf, rowsAtGoogle, textOf } from '../../user-actions.js';
import type { Completeness } from '../../../src/connections/coverage/coverage.dto.js';

const STREAM = 'campaign_daily';
const HISTORY_DAYS = 8;
const [ACCOUNT] = googleAds.accounts;
const BIGQUERY_PROJECT = 'northwind-marketing';
/** Set the seed to repeat a failure. The error message contains it. */
const SEED = Number(process.env['USER_ACTIONS_SEED'] ?? randomInt(2 ** 31));
const POSTGRESQL_ACTIONS = countOf(120, 500);
const BIGQUERY_ACTIONS = countOf(40, 100);
/** Connections that are changed concurrently. */
const SEQUENCES = 4;
const VALUE_COLUMNS = ['conversions', 'conversions_value', 'view_through_conversions', 'campaign_name', 'campaign_status'];
const DEADLINE_MS = 120_000;
/** A slow machine executes fewer actions in this time. The tests define the minimum. */
const BUDGET_MS = Number(process.env['USER_ACTIONS_SECONDS'] ?? 180) * 1_000;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

interface Action {
  name: string;
  /** Undoes the action before the next one, if the table could not be loaded otherwise. */
  undo?: () => Promise<unknown>;
}

/** A table that a user changes, and how it is read without the product. */
interface UserTable {
  act(random: () => number): Promise<Action>;
  rows(): Promise<Record<string, unknown>[]>;
}

/** Actions on one connection, each followed by a run and an audit. */
class ActionSequence {
  private readonly history: string[] = [];
  private readonly id: string;
  actions = 0;
  verifiedSteps = 0;

  constructor(
    private readonly scenario: PlatformScenario,
    private readonly connection: string,
    private readonly table: UserTable,
    private readonly expectedRows: string[],
    private readonly seed: number,
  ) {
    this.id = connection.split('/').at(-1) ?? '';
  }

  async perform(actions: number, until: number): Promise<void> {
    const random = randomOf(this.seed);
    let last: Action = { name: 'nothing' };
    for (; this.actions < actions && Date.now() < until; this.actions++) {
      await last.undo?.();
      last = await this.table.act(random);
      this.history.push(last.name);
      await this.runAndAudit();
      if (await this.isVerified()) await this.expectEqualRows();
    }
    await last.undo?.();
    await this.runAndAudit();
    await this.runAndAudit();
    if (!(await this.isVerified())) throw new Error(this.describe('the table was not repaired'));
    await this.expectEqualRows();
  }

  private async runAndAudit(): Promise<void> {
    const { call } = this.scenario.organization;
    expectStatus(await call.post(`${this.connection}/run`), 202);
    await this.idle();
    expectStatus(await call.post(`${this.connection}/audit`), 202);
    await this.idle();
  }

  /** Waits until no run or audit of the connection is queued or active, including the run that an audit starts. */
  private async idle(): Promise<void> {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const [{ busy } = {}] = await app.database.query<{ busy: boolean }>(
        `select exists (select from runs where connection_id = $1 and ended_at is null)
             or exists (select from destination_audits where connection_id = $1
                           and (ended_at is null or (differing_days > 0 and run_id is null and failure is null))) as busy`,
        [this.id],
      );
      if (!busy) return;
      if (Date.now() > deadline) throw new Error(this.describe('a run or an audit did not end'));
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }

  private async isVerified(): Promise<boolean> {
    const [run] = await app.database.query<{ state: string }>(
      'select state from runs where connection_id = $1 order by queued_at desc limit 1',
      [this.id],
    );
    const { body } = await this.scenario.organization.call.get<Completeness>(`${this.connection}/completeness`);
    return run?.state === 'succeeded' && body.isComplete;
  }

  private async expectEqualRows(): Promise<void> {
    this.verifiedSteps += 1;
    const rows = (await this.table.rows()).map(textOf).sort();
    if (rows.length === this.expectedRows.length && rows.every((row, index) => row === this.expectedRows[index])) return;
    const other = rows.find((row) => !this.expectedRows.includes(row)) ?? 'a row is duplicated or missing';
    throw new Error(
      this.describe(`verified although different: ${rows.length} rows instead of ${this.expectedRows.length}; ${other}`),
    );
  }

  private describe(what: string): string {
    return `${what} after action ${this.history.length} (${this.history.slice(-5).join(', ')}); USER_ACTIONS_SEED=${SEED}, sequence ${this.seed - SEED}`;
  }
}

interface Performed {
  actions: number;
  verifiedSteps: number;
}

async function performAll(aSequence: (index: number) => Promise<ActionSequence>, actions: number): Promise<Performed> {
  const sequences = await Promise.all(Array.from({ length: SEQUENCES }, (_, index) => aSequence(index)));
  const until = Date.now() + BUDGET_MS;
  await Promise.all(sequences.map((sequence) => sequence.perform(Math.ceil(actions / SEQUENCES), until)));
  const sum = (count: (sequence: ActionSequence) => number) => sequences.reduce((total, sequence) => total + count(sequence), 0);
  return { actions: sum((sequence) => sequence.actions), verifiedSteps: sum((sequence) => sequence.verifiedSteps) };
}

/** Broken tables fail, and most others succeed: a test without a successful table would verify nothing. */
function expectPerformed({ actions, verifiedSteps }: Performed, atLeast: number): void {
  expect(actions).toBeGreaterThanOrEqual(atLeast);
  expect(verifiedSteps).toBeGreaterThan(actions / 3);
}

async function aConnection(scenario: PlatformScenario, body: object): Promise<string> {
  const { call, path } = scenario.organization;
  const destination = expectStatus(await call.post<{ id: string }>(`${path}/destinations`, body), 201);
  const connection = await scenario.connectTo(destination.body.id, { historyDays: HISTORY_DAYS, streams: [STREAM] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  return connection;
}

describe('a PostgreSQL table', () => {
  const LOCK_MS = 100;

  function aTable(table: string): UserTable {
    const run = (sql: string) => warehouse.query(sql);
    let renamed = 0;
    const day = (random: () => number) => `date '${daysAgo(Math.floor(random() * (HISTORY_DAYS + 1)))}'`;
    /** A trigger changes inserted rows, so some rows have to be loaded again. */
    const trigger = async (random: () => number): Promise<Action> => {
      const column = pick(random, ['conversions', 'conversions_value', 'view_through_conversions', 'clicks']);
      const value = pick(random, [`new.${column} + 1`, 'null', '0']);
      await run(`
        create or replace function ${table}_change() returns trigger language plpgsql as
          $$ begin new.${column} := ${value}; return new; end $$;
        create trigger change before insert on ${table} for each row execute function ${table}_change();
        delete from ${table} where date > ${day(random)}`);
      return { name: `trigger ${column} := ${value}`, undo: () => run(`drop trigger if exists change on ${table}`) };
    };
    const duplicate = async (random: () => number): Promise<Action> => {
      await run(
        `alter table ${table} drop constraint ${table}_pkey; insert into ${table} select * from ${table} where date <= ${day(random)}`,
      );
      const undo = () =>
        run(`
          delete from ${table} where ctid not in (select min(ctid) from ${table} group by account_id, date, campaign_id, device, network);
          alter table ${table} add primary key (account_id, date, campaign_id, device, network)`);
      return { name: 'duplicate', undo };
    };
    const changeType = async (random: () => number): Promise<Action> => {
      const [column, type, back] = pick(random, [
        ['clicks', 'numeric', 'bigint'],
        ['conversions', 'real', 'double precision'],
        ['campaign_name', 'varchar(5) using left(campaign_name, 5)', 'text'],
        ['view_through_conversions', 'text', 'bigint using view_through_conversions::bigint'],
      ] as const);
      await run(`alter table ${table} alter ${column} type ${type}`);
      return { name: `type of ${column}`, undo: () => run(`alter table ${table} alter ${column} type ${back}`) };
    };
    const lock = async (): Promise<Action> => {
      const { settings } = warehouse;
      const holder = new pg.Client({ ...settings, ssl: false });
      await holder.connect();
      await holder.query(`begin; lock table ${table} in access exclusive mode`);
      setTimeout(() => void holder.end(), LOCK_MS);
      return { name: 'lock' };
    };
    const done = (name: string, sql: string) => run(sql).then((): Action => ({ name }));
    const actions: ((random: () => number) => Promise<Action>)[] = [
      (random) => done('delete a day', `delete from ${table} where date = ${day(random)}`),
      (random) => done('delete rows', `delete from ${table} where campaign_id % 3 = ${Math.floor(random() * 3)}`),
      () => done('truncate', `truncate ${table}`),
      (random) => {
        const column = pick(random, VALUE_COLUMNS);
        return done(`rename ${column}`, `alter table ${table} rename ${column} to ${column}_${++renamed}`);
      },
      (random) => {
        const column = pick(random, [...VALUE_COLUMNS, 'all_conversions']);
        return done(`drop ${column}`, `alter table ${table} drop column ${column}`);
      },
      (random) => {
        const change = pick(random, [
          'conversions = conversions + 0.5',
          'clicks = clicks + 1',
          'campaign_name = campaign_name || 1',
          'conversions_value = null',
          `conversions = 'NaN'`,
          'cost_micros = cost_micros + case when campaign_id % 2 = 0 then 1 else -1 end',
        ]);
        return done(`update ${change}`, `update ${table} set ${change} where date <= ${day(random)}`);
      },
      trigger,
      duplicate,
      changeType,
      lock,
      () => done('drop table', `drop table ${table}`),
    ];
    return {
      act: (random) => pick(random, actions)(random),
      rows: () =>
        warehouse.query(
          `select ${comparedColumns.map((name) => (name === 'date' ? 'date::text' : name)).join(', ')} from ${table} where date < '${daysAgo(0)}'`,
        ),
    };
  }

  it(
    `never succeeds while it differs from the platform, during ${POSTGRESQL_ACTIONS} random user actions`,
    async () => {
      const expectedRows = await rowsAtGoogle(sandbox, ACCOUNT, HISTORY_DAYS);
      expect(expectedRows.length).toBeGreaterThan(20);
      const aSequence = async (index: number): Promise<ActionSequence> => {
        const scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
        const body = destinationBody(warehouse);
        const settings = { ...(body['settings'] as object), tablePrefix: `actions${index}_` };
        const connection = await aConnection(scenario, { ...body, settings });
        return new ActionSequence(
          scenario,
          connection,
          aTable(`actions${index}_google_ads_${STREAM}`),
          expectedRows,
          SEED + index,
        );
      };
      expectPerformed(await performAll(aSequence, POSTGRESQL_ACTIONS), POSTGRESQL_ACTIONS / 5);
    },
    BUDGET_MS + 240_000,
  );
});

describe('a BigQuery table', () => {
  async function call(token: string, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`${sandbox.url}/bigquery-api/bigquery/v2/projects/${BIGQUERY_PROJECT}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`BigQuery answered ${answer.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  }

  function aTable(token: string, datasetId: string): UserTable {
    const tableId = `google_ads_${STREAM}`;
    const table = `\`${BIGQUERY_PROJECT}.${datasetId}.${tableId}\``;
    const run = async (sql: string) => {
      await call(token, 'POST', '/queries', { query: sql, location: 'EU', useLegacySql: false, timeoutMs: 10_000 });
    };
    let renamed = 0;
    const day = (random: () => number) => `DATE '${daysAgo(Math.floor(random() * (HISTORY_DAYS + 1)))}'`;
    const done = (name: string, sql: string) => run(sql).then((): Action => ({ name }));
    const actions: ((random: () => number) => Promise<Action>)[] = [
      (random) => done('delete a day', `DELETE FROM ${table} WHERE date = ${day(random)}`),
      (random) => done('delete rows', `DELETE FROM ${table} WHERE device = '${pick(random, ['MOBILE', 'DESKTOP', 'TABLET'])}'`),
      () => done('truncate', `TRUNCATE TABLE ${table}`),
      (random) => done('duplicate', `INSERT INTO ${table} SELECT * FROM ${table} WHERE date <= ${day(random)}`),
      (random) => {
        const column = pick(random, VALUE_COLUMNS);
        return done(`rename ${column}`, `ALTER TABLE ${table} RENAME COLUMN ${column} TO ${column}_${++renamed}`);
      },
      (random) => {
        const column = pick(random, [...VALUE_COLUMNS, 'all_conversions']);
        return done(`drop ${column}`, `ALTER TABLE ${table} DROP COLUMN ${column}`);
      },
      (random) => {
        const change = pick(random, [
          'conversions = conversions + 0.5',
          'clicks = clicks + 1',
          `campaign_name = CONCAT(campaign_name, '1')`,
          'conversions_value = NULL',
        ]);
        return done(`update ${change}`, `UPDATE ${table} SET ${change} WHERE date <= ${day(random)}`);
      },
      async () => {
        await call(token, 'DELETE', `/datasets/${datasetId}/tables/${tableId}`);
        return { name: 'drop table' };
      },
    ];
    return {
      act: (random) => pick(random, actions)(random),
      rows: async () => {
        const where = new URLSearchParams({ projectId: BIGQUERY_PROJECT, datasetId, tableId, limit: '100000' });
        const answer = await fetch(`${sandbox.url}/admin/bigquery/rows?${where}`);
        const { rows } = (await answer.json()) as { rows: Record<string, unknown>[] };
        return rows.filter((row) => String(row['date']) < daysAgo(0));
      },
    };
  }

  it(
    `never succeeds while it differs from the platform, during ${BIGQUERY_ACTIONS} random user actions`,
    async () => {
      const expectedRows = await rowsAtGoogle(sandbox, ACCOUNT, HISTORY_DAYS);
      const { accessToken } = await sandbox.signIn('demo@example.com', ['https://www.googleapis.com/auth/bigquery']);
      const aSequence = async (index: number): Promise<ActionSequence> => {
        const scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
        const datasetId = `actions${index}_${scenario.organization.id.slice(-8)}`;
        const key = await (await fetch(`${sandbox.url}/admin/bigquery/service-account?name=loader`)).text();
        const connection = await aConnection(scenario, {
          provider: 'bigquery',
          name: 'BigQuery',
          settings: { projectId: BIGQUERY_PROJECT, datasetId, location: 'EU' },
          credentials: { serviceAccountKey: key },
        });
        return new ActionSequence(scenario, connection, aTable(accessToken, datasetId), expectedRows, SEED + index);
      };
      expectPerformed(await performAll(aSequence, BIGQUERY_ACTIONS), BIGQUERY_ACTIONS / 5);
    },
    BUDGET_MS + 240_000,
  );
});
