import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlDestination } from '../../src/connectors/postgresql/index.js';
import type { Stream } from '../../src/connectors/kit/contract.js';
import { needOf } from '../../src/connectors/kit/rows/excluded-columns.js';
import { providers } from '../../src/connectors/registry.js';
import { aContext } from '../connectors/context.js';
import { aRow, aSlice, campaignDaily, pagesOf } from '../connectors/rows.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { DbtProject } from './dbt-project.js';

const backend = path.resolve(import.meta.dirname, '..', '..');
const PREFIX = 'ads_';
const declared = providers.flatMap(({ declared: source }) =>
  'streams' in source && !source.isDraft ? source.streams.map((stream) => ({ provider: source.provider, stream })) : [],
);
/** One stream for each table: several platforms share one. */
const streams = [...new Map(declared.map(({ stream }) => [stream.table, stream])).values()];

let warehouse: Warehouse;
let project: DbtProject;

beforeAll(async () => {
  warehouse = await startWarehouse();
  project = new DbtProject('public', { tributary_table_prefix: PREFIX });
  const destination = postgresqlDestination({ ...warehouse.settings, tablePrefix: PREFIX }, ownNetwork);
  await destination.prepare(aContext(), streams);
  await destination.write(aContext(), aSlice(), pagesOf([aRow(), aRow({ campaign_id: 2n })]), {
    runId: randomUUID(),
    leaseEpoch: 1n,
  });
  await destination.close();
}, 60_000);
afterAll(() => warehouse?.stop());

describe('the dbt package', () => {
  it('is that of the present streams (make api)', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'dbt-'));
    execFileSync(process.execPath, ['scripts/write-dbt-package.mjs', folder], { cwd: backend });
    const contents = (root: string) =>
      Object.fromEntries(
        globSync('{dbt_project.yml,models/*}', { cwd: root })
          .sort()
          .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
      );
    expect(contents(path.join(backend, '..', 'deploy', 'dbt'))).toEqual(contents(folder));
    rmSync(folder, { recursive: true });
  });

  it('has a source and a model for each table, and names every stream of every connector', () => {
    const tables = streams.map(({ table }) => table).sort();
    expect(project.sources.map(({ name }) => name)).toEqual(tables);
    expect(project.models.map(({ name }) => name)).toEqual(tables.map((table) => `tributary_${table}`));
    expect(project.files.sort()).toEqual(project.models.map(({ name }) => name));
    expect(project.models.flatMap(({ config }) => config.meta.streams).sort()).toEqual(
      declared.map(({ provider, stream }) => `${provider}.${stream.name}`).sort(),
    );
  });

  it('describes the columns of each table, and tests its key', () => {
    for (const stream of streams) {
      const model = project.models.find(({ name }) => name === `tributary_${stream.table}`)!;
      expect(model.columns.map(({ name }) => name)).toEqual(stream.columns.map(({ name }) => name));
      expect(model.data_tests).toEqual([{ one_row_per: { arguments: { columns: stream.key } } }]);
      const notNull = model.columns.filter(({ data_tests: tests }) => tests?.includes('not_null')).map(({ name }) => name);
      expect(notNull.sort()).toEqual([...stream.key].sort());
    }
  });

  it('requires a version of dbt that reads arguments of tests from their own key', () => {
    const requirement = readFileSync(path.join(backend, '..', 'deploy', 'dbt', 'dbt_project.yml'), 'utf8');
    expect(requirement).toMatch(/require-dbt-version:\n +- ">=1\.10\.8"\n +- <3\.0\.0\n/);
  });

  it('has models and tests that PostgreSQL executes on the tables that the product makes', async () => {
    for (const model of project.models) {
      await warehouse.query(`create view ${model.name} as ${project.render(model.sql)}`);
      expect(await warehouse.query(project.keyTest(model)), model.name).toEqual([]);
    }
    expect(
      await warehouse.query(
        'select count(*)::int as rows, sum(cost_micros) = sum(cost) * 1e6 as "isEqual" from tributary_google_ads_campaign_daily',
      ),
    ).toEqual([{ rows: 2, isEqual: true }]);
  });

  it('has models without the amounts of columns that a user lists as excluded', async () => {
    const without = (stream: Stream) =>
      stream.columns.map(({ name }) => name).filter((name) => name.endsWith('_micros') && needOf(stream, name) === null);
    const excluded = streams.flatMap((stream) => without(stream).map((column) => `${stream.table}.${column}`));
    expect(excluded.length).toBeGreaterThan(10);
    const narrow = new DbtProject('narrow', { tributary_excluded_columns: excluded });
    await warehouse.query('create schema narrow');
    for (const stream of streams) {
      const kept = stream.columns.map(({ name }) => name).filter((name) => !without(stream).includes(name));
      await warehouse.query(
        `create table narrow.${stream.table} as select ${kept.map((name) => `"${name}"`).join()} from ${PREFIX}${stream.table}`,
      );
      const model = narrow.models.find(({ name }) => name === `tributary_${stream.table}`)!;
      await expect(warehouse.query(narrow.render(model.sql)), model.name).resolves.toBeDefined();
    }
  });

  it('finds a row whose key occurs twice', async () => {
    const model = project.models.find(({ name }) => name === `tributary_${campaignDaily.table}`)!;
    const twice = { ...model, sql: `${model.sql} union all ${model.sql}` };
    expect(await warehouse.query(project.keyTest(twice))).toHaveLength(2);
  });

  it('is limited to the tables that a user names', () => {
    const limited = new DbtProject('public', { tributary_tables: ['custom_events'] });
    const isEnabled = (one: DbtProject) =>
      [...one.models, ...one.sources].filter((each) => one.isEnabled(each)).map(({ name }) => name);
    expect(isEnabled(limited)).toEqual(['tributary_custom_events', 'custom_events']);
    expect(isEnabled(project)).toHaveLength(2 * streams.length);
  });
});
