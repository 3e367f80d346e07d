import { afterEach, describe, expect, it } from 'vitest';
import { postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import type { PostgresqlSettings } from '../../../src/connectors/postgresql/settings.js';
import { usualLimits } from '../../../src/connectors/postgresql/connection/transaction.js';
import { eventually } from '../../factories.js';
import { type HostileBehavior, type HostilePostgres, startHostilePostgres } from '../../hostile-postgres.js';
import { aContext } from '../context.js';
import { aSlice, campaignDaily } from '../rows.js';
import { ownNetwork } from '../warehouse.js';

let server: HostilePostgres;
const password = 'the password that must not leak';

afterEach(() => server.stop());

async function open(behaviour: HostileBehavior, overrides: Partial<PostgresqlSettings> = {}) {
  server = await startHostilePostgres(behaviour);
  const settings: PostgresqlSettings = {
    host: '127.0.0.1',
    port: server.port,
    database: 'warehouse',
    schema: 'public',
    user: 'loader',
    password,
    sslMode: 'disable',
    tablePrefix: '',
    ...overrides,
  };
  return postgresqlDestination(settings, ownNetwork, { ...usualLimits, answerMs: 15_000 });
}

/** Processor time of the thread of the tests. Elapsed time would include that of other processes. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The items of a check with a five-second limit, its maximum memory growth in bytes, and how long it kept the thread busy at once. */
async function check(behaviour: HostileBehavior, overrides: Partial<PostgresqlSettings> = {}) {
  const destination = await open(behaviour, overrides);
  const before = process.memoryUsage().rss;
  let peak = before;
  let busyMs = 0;
  let last = usedMs();
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
    busyMs = Math.max(busyMs, usedMs() - last);
    last = usedMs();
  }, 10);
  const items = await destination.check({ ...aContext(), signal: AbortSignal.timeout(5_000) });
  await destination.close();
  clearInterval(watch);
  return { items, failed: items.find(({ state }) => state === 'failed'), memory: peak - before, busyMs };
}

describe('a server without encryption', () => {
  it.each<[HostileBehavior, PostgresqlSettings['sslMode']]>([
    ['asks_clear_text', 'disable'],
    ['asks_clear_text', 'prefer'],
    ['asks_md5', 'disable'],
    ['asks_md5', 'prefer'],
  ])('that %s gets no password in mode %s', async (behaviour, sslMode) => {
    const { items, failed } = await check(behaviour, { sslMode });
    expect(server.passwords).toEqual([]);
    expect(failed).toMatchObject({
      code: 'signs_in',
      detail: expect.stringContaining('not encrypted'),
      action: expect.any(String),
    });
    expect(items.find(({ code }) => code === 'encrypts')).toMatchObject({ state: 'passed', detail: 'Not encrypted' });
  });

  it('gets no password from a load', async () => {
    const destination = await open('asks_clear_text');
    await expect(destination.prepare(aContext(), [campaignDaily])).rejects.toMatchObject({
      name: 'FixSettings',
      code: 'postgresql.clear_text_password',
    });
    await destination.close();
    expect(server.passwords).toEqual([]);
  });
});

describe('a hostile server', () => {
  it.each<HostileBehavior>([
    'endless_rows',
    'huge_message',
    'endless_notices',
    'slow_drip',
    'amplified_rows',
    'truncated_row',
    'slow_scram',
    'unterminated_error',
    'overlapping_fields',
  ])('with %s fails the check without filling the memory or blocking the process', async (behaviour) => {
    const { failed, memory, busyMs } = await check(behaviour);
    expect(failed).toMatchObject({ state: 'failed', detail: expect.any(String), action: expect.any(String) });
    expect(memory).toBeLessThan(60 * 1024 * 1024);
    expect(busyMs).toBeLessThan(250);
    await eventually(
      () => Promise.resolve(server.openConnections()),
      (open) => open === 0,
    );
  });

  it.each<HostileBehavior>(['long_texts', 'long_error_code'])('with %s writes none of them into the check', async (behaviour) => {
    const { items } = await check(behaviour);
    expect(JSON.stringify(items).length).toBeLessThan(5_000);
    expect(JSON.stringify(items)).not.toContain('\\u0000');
  });

  it.each<HostileBehavior>(['endless_rows', 'huge_message', 'amplified_rows', 'truncated_row'])(
    'with %s fails a load without filling the memory',
    async (behaviour) => {
      const destination = await open(behaviour);
      const before = process.memoryUsage().rss;
      await expect(destination.totals(aContext(), aSlice())).rejects.toMatchObject({ name: 'RetryLater' });
      await destination.close();
      expect(process.memoryUsage().rss - before).toBeLessThan(120 * 1024 * 1024);
    },
  );
});
