import { randomUUID } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../postgres/test-database.ts';
import { childEnvironment, inRepository } from '../repository.ts';
import { DriverFactory } from '../schema-engine/driver.mjs';
import { LIMITS } from './migration-limits.ts';

/** Names of the violated rules. */
function lint(sql: string): string[] {
  const parameters = ['--reporter', 'gcc', '--stdin-filepath', 'migration.sql'];
  const { stdout } = spawnSync('squawk', parameters, {
    cwd: inRepository(),
    env: childEnvironment(),
    input: sql,
    encoding: 'utf8',
  });
  return [...stdout.matchAll(/(?:warning|error): ([a-z-]+)/g)].map(([, rule = '']) => rule);
}

const TABLE = `create table "labels" ("id" uuid not null, "uses" integer not null, constraint "labels_pkey" primary key ("id"));
create index "labels_uses_idx" on "labels"("uses");`;

describe('the rules for migrations', () => {
  it('require a limit for locks and for statements', () => {
    expect(lint(TABLE)).toEqual(['require-lock-timeout', 'require-statement-timeout']);
    expect(lint(LIMITS + TABLE)).toEqual([]);
  });

  it.each([
    ['an index that blocks writes', 'create index "runs_x_idx" on "runs"("x");', ['require-concurrent-index-creation']],
    ['a dropped column, which the previous release still reads', 'alter table "runs" drop column "x";', ['ban-drop-column']],
    ['a renamed column', 'alter table "runs" rename column "x" to "y";', ['renaming-column']],
    ['a required column without a default', 'alter table "runs" add column "x" text not null;', ['adding-required-field']],
    ['a changed type, which rewrites the table', 'alter table "runs" alter column "x" type bigint;', ['changing-column-type']],
  ])('reject %s', (_, sql, rules) => {
    expect(lint(LIMITS + sql)).toEqual(rules);
  });

  it('accept an index that is built while the table is written, alone in its migration', () => {
    const reason =
      '-- squawk-ignore-file require-lock-timeout, require-statement-timeout, ban-concurrent-index-creation-in-transaction\n';
    expect(lint(`${reason}create index concurrently if not exists "runs_x_idx" on "runs"("x");`)).toEqual([]);
  });

  it('apply to every migration that is not listed', () => {
    const listed = [...readFileSync(inRepository('.squawk.toml'), 'utf8').matchAll(/"prisma\/migrations\/(\w+)\/\*"/g)];
    expect(readdirSync(inRepository('prisma', 'migrations'))).toEqual(expect.arrayContaining(listed.map(([, name]) => name)));
    expect(listed.length).toBeGreaterThan(50);
  });
});

describe('the limits of a migration', () => {
  const table = `limited_${randomUUID().slice(0, 8)}`;
  let server: TestDatabase;
  let reader: pg.Client;

  beforeAll(async () => {
    server = await startTestDatabase();
    reader = new pg.Client({ connectionString: server.url });
    await reader.connect();
    await reader.query(`create table ${table} (n int)`);
  });
  afterAll(async () => {
    await reader.query(`drop table ${table}`);
    await reader.end();
    await server.stop();
  });

  it('end a migration that waits for a lock, and are not those of the next one', async () => {
    const factory = new DriverFactory(server.url);
    const connection = await factory.connect();
    const migrate = (sql: string) => connection.executeScript(LIMITS.replace('5s', '100ms') + sql);
    await reader.query('begin');
    await reader.query(`select from ${table}`);
    await expect(migrate(`alter table ${table} add column m int`)).rejects.toMatchObject({
      cause: { originalMessage: 'canceling statement due to lock timeout' },
    });
    await reader.query('commit');
    await migrate(`alter table ${table} add column m int`);
    const { rows } = await connection.queryRaw({ sql: 'show lock_timeout', args: [], argTypes: [] });
    expect(rows).toEqual([['0']]);
    await factory.closeAll();
  });
});
