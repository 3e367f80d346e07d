import { describe, expect, it } from 'vitest';
import { aContext } from '../connectors/context.js';
import { aSlice, campaignDaily } from '../connectors/rows.js';
import type { Destination, Page, Source } from '../../src/connectors/kit/contract.js';
import { runSlice, type SliceContext, type SliceResult } from '../../src/sync/run/run-slice.js';

const context: SliceContext = {
  ...aContext(),
  job: { id: null, save: () => Promise.resolve() },
  exchange: null,
  ledger: { list: () => Promise.resolve([]), plan: () => Promise.resolve(), confirm: () => Promise.resolve() },
};

const emptyPage: Page = { lines: Buffer.alloc(0), rowCount: 0, days: [] };
const zeroTotals = { costMicros: 0n, clicks: 0n, impressions: 0n };

const sourceOf = (pages: Page[]): Source => ({
  provider: 'google_ads',
  streams: [campaignDaily],
  listAccounts: () => Promise.resolve([]),
  lookbackDays: () => Promise.resolve(0),
  async *read() {
    for (const page of pages) yield await Promise.resolve(page);
  },
});

const destination: Destination = {
  provider: 'postgresql',
  check: () => Promise.resolve([]),
  tableName: ({ table }) => table,
  prepare: () => Promise.resolve(new Map()),
  locate: () => Promise.resolve(new Map()),
  async write(_context, _slice, given) {
    for await (const page of given) expect(page.rowCount).toBe(0);
    return { rowsWritten: 0, bytes: 0 };
  },
  preview: () => Promise.resolve({ target: campaignDaily.table, steps: [], omittedSteps: 0, omittedRows: 0 }),
  totals: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

const load = (pages: Page[], acceptsEmpty: boolean): Promise<SliceResult> =>
  runSlice(context, {
    source: sourceOf(pages),
    destination,
    slice: aSlice(),
    written: campaignDaily,
    hashed: [],
    acceptsEmpty,
    fence: { runId: '00000000-0000-7000-8000-000000000000', leaseEpoch: 1n },
    lookbackDays: 0,
    now: new Date(),
    progress: {
      rowsRead: () => undefined,
      rowsTaken: () => undefined,
      rowsForgotten: () => undefined,
      sliceLoaded: () => undefined,
    },
  });

describe('a slice without rows', () => {
  it.each([[[]], [[emptyPage]]])('that nothing confirms is rejected with the policy expect_rows', async (pages) => {
    await expect(load(pages, false)).rejects.toMatchObject({ code: 'sync.unverified_empty' });
  });

  it('that nothing confirms is accepted with the policy allow_empty', async () => {
    expect(await load([], true)).toMatchObject({ expected: { rows: 0 }, found: { rows: 0 }, differingDays: [] });
  });

  it.each([
    ['total', { ...emptyPage, providerTotals: zeroTotals }],
    ['row count', { ...emptyPage, providerRows: 0 }],
  ])('that the provider confirms by its %s needs no policy', async (_what, page) => {
    expect(await load([page], false)).toMatchObject({ differingDays: [] });
  });

  it('is rejected if the provider reports other totals', async () => {
    const page = { ...emptyPage, providerTotals: { ...zeroTotals, clicks: 1n } };
    await expect(load([page], false)).rejects.toMatchObject({ code: 'sync.unverified_empty' });
  });
});
