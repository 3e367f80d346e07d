import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../test/database.js';
import { testSettings } from '../test/settings.js';

const main = path.resolve(import.meta.dirname, '..', 'dist', 'src', 'main.js');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.stop());

/** What the built product logs until an entry matches. */
async function logUntil(settings: Record<string, string>, last: RegExp): Promise<string[]> {
  const env = { PATH: process.env['PATH'], ...testSettings(database.url, { LOG_LEVEL: 'info', ...settings }) };
  const product = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'], env });
  const messages: string[] = [];
  for await (const line of createInterface(product.stdout)) {
    const { msg, version } = JSON.parse(line) as { msg: string; version?: string };
    messages.push(version === undefined ? msg : `${msg}, version ${version}`);
    if (last.test(msg)) product.kill();
  }
  if (product.exitCode === null && product.signalCode === null) await once(product, 'exit');
  return messages;
}

it('logs when the worker has started, and where the API listens', async () => {
  const messages = await logUntil({ ROLE: 'all', PORT: '0' }, /^Listening/);
  expect(messages.filter((message) => /started|Listening/.test(message))).toEqual([
    expect.stringMatching(/^The worker has started, version \d+\.\d+\.\d+$/),
    expect.stringMatching(/^Listening on http:\/\/127\.0\.0\.1:\d+, version \d+\.\d+\.\d+$/),
  ]);
});

it('logs no address of a worker, which does not listen', async () => {
  const messages = await logUntil({ ROLE: 'worker' }, /started/);
  expect(messages.filter((message) => /Listening/.test(message))).toEqual([]);
});
