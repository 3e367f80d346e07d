import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Destination, Row } from '../../../src/connectors/kit/contract.js';
import { ReconnectNeeded } from '../../../src/connectors/kit/errors.js';
import { MixpanelSandbox, startMixpanel, Target } from './mixpanel-sandbox.js';
import { pagesOf, sumRowsByDay } from '../rows.js';

let mixpanel: MixpanelSandbox;
let destination: Destination;
let target: Target;
beforeAll(async () => {
  mixpanel = await startMixpanel();
});
beforeEach(() => {
  target = new Target();
  destination = mixpanel.open();
});
afterEach(() => mixpanel.sandbox.clearFaults());
afterAll(() => mixpanel.sandbox.stop());

const importsSince = async (before: number) => (await mixpanel.requests()).slice(before);

describe('a batch', () => {
  const manyRows = (count: number, more: Row = {}): Row[] =>
    Array.from({ length: count }, (_, index) => target.row({ campaign_id: BigInt(index + 1), ...more }));

  it('contains at most 2,000 events', async () => {
    const before = (await mixpanel.requests()).length;
    const rows = manyRows(4_001);
    expect(await target.load(destination, rows)).toEqual(sumRowsByDay(rows));
    expect((await importsSince(before)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('stays below 10 MB', async () => {
    const before = (await mixpanel.requests()).length;
    const rows = manyRows(1_000, { campaign_name: 'x'.repeat(8_000) });
    await target.write(destination, rows);
    expect((await importsSince(before)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await mixpanel.totals(target.account)).events).toBe(1_000);
  });

  it('is halved when Mixpanel rejects it as too large', async () => {
    await mixpanel.fault('payload_limit', { bytes: 5_000 });
    const rows = manyRows(50);
    expect(await target.load(destination, rows)).toEqual(sumRowsByDay(rows));
    expect(target.ledger.unconfirmed).toEqual([]);
  });

  it('fails when a single row is too large', async () => {
    await mixpanel.fault('payload_limit', { bytes: 100 });
    await expect(target.write(destination, [target.row()])).rejects.toMatchObject({
      name: 'RowRejected',
      code: 'mixpanel.http_413',
    });
  });

  it('with rejected rows names one, keeps the others, and is not retried automatically', async () => {
    await mixpanel.fault('reject_events', {
      everyNth: 5,
      field: 'properties.utm_campaign',
      message: 'string should be valid utf8',
    });
    const before = (await mixpanel.requests()).length;
    await expect(target.write(destination, manyRows(10))).rejects.toMatchObject({
      name: 'RowRejected',
      code: 'mixpanel.row_refused',
      message: expect.stringMatching(
        /"Brand" \(2026-01-01, 5, .*\) and 1 more: properties.utm_campaign: string should be valid utf8\. It accepted the other rows/,
      ),
    });
    expect((await importsSince(before)).map(({ status }) => status)).toEqual([400]);
    expect((await mixpanel.totals(target.account)).events).toBe(8);
    await mixpanel.sandbox.clearFaults();
    expect(await target.load(mixpanel.open(), manyRows(10))).toEqual(sumRowsByDay(manyRows(10)));
    expect((await mixpanel.totals(target.account)).events).toBe(10);
  });

  it('with rejected rows does not prevent the next batches', async () => {
    await mixpanel.fault('reject_events', { everyNth: 1_000, times: 1 });
    const rows = manyRows(4_001);
    await expect(target.write(destination, rows)).rejects.toMatchObject({
      code: 'mixpanel.row_refused',
      message: expect.stringContaining(' and 1 more: '),
    });
    expect((await mixpanel.totals(target.account)).events).toBe(3_999);
    expect(await target.load(mixpanel.open(), rows)).toEqual(sumRowsByDay(rows));
    expect((await mixpanel.totals(target.account)).events).toBe(4_001);
  });

  it('matches rejected events by index, whatever the id’s field name', async () => {
    for (const id of [2n, 3n]) {
      await mixpanel.fault('reject_events', { everyNth: 1, times: 1 });
      await expect(target.write(destination, [target.row({ campaign_id: id })])).rejects.toMatchObject({
        message: expect.stringContaining(`(2026-01-01, ${id}, MOBILE`),
      });
    }
  });
});

describe('when Mixpanel does not accept it', () => {
  it('retries in place during short throttling', async () => {
    await mixpanel.fault('throttle', { times: 1 });
    await mixpanel.fault('bad_gateway', { times: 1 });
    await mixpanel.fault('unavailable', { times: 1 });
    expect(await target.load(destination, [target.row()])).toEqual(sumRowsByDay([target.row()]));
  });

  it.each([
    ['throttle', 'quota', 60],
    ['bad_gateway', 'transient', null],
    ['unavailable', 'transient', null],
    ['server_error', 'transient', null],
    ['drop_connection', 'transient', null],
  ])('reschedules the run during a long %s and ends with correct sums', async (fault, failureClass, retryAfterSeconds) => {
    await mixpanel.fault(fault);
    await expect(target.write(destination, [target.row()])).rejects.toMatchObject({
      name: 'RetryLater',
      failureClass,
      retryAfterSeconds,
    });
    await mixpanel.sandbox.clearFaults();
    expect(await target.load(mixpanel.open(), [target.row()])).toEqual(sumRowsByDay([target.row()]));
  });

  it('requires another service account when this one is revoked', async () => {
    await mixpanel.fault('revoke');
    await expect(target.write(destination, [target.row()])).rejects.toMatchObject({
      name: 'ReconnectNeeded',
      code: 'mixpanel.http_401',
      action: 'Update the credentials',
    });
  });

  it('never shows the secret', async () => {
    await mixpanel.fault('revoke');
    const error: unknown = await target.write(destination, [target.row()]).catch((failure: unknown) => failure);
    const text = JSON.stringify([error, (error as Error).message, (error as Error).stack, target.context.requests]);
    expect(error).toBeInstanceOf(ReconnectNeeded);
    expect(text).not.toContain('sandbox-loader-secret');
    expect(text).not.toContain(Buffer.from('loader.f5a1c2.mp-service-account:sandbox-loader-secret').toString('base64'));
  });
});

it('accepts pages of any size', async () => {
  const rows = Array.from({ length: 30 }, (_, index) =>
    target.row({ campaign_id: BigInt(index), date: `2026-01-0${(index % 3) + 1}` }),
  );
  const paged = (async function* () {
    for (let start = 0; start < rows.length; start += 7) yield* pagesOf(rows.slice(start, start + 7));
  })();
  await expect(target.write(destination, paged)).resolves.toMatchObject({ rowsWritten: 30 });
  expect(await target.totals(destination)).toEqual(sumRowsByDay(rows));
});
