import { expect, it } from 'vitest';
import { aContext } from '../connectors/context.js';
import { aRow, aSlice, campaignDaily, toPage } from '../connectors/rows.js';
import type { Destination, LoadedSlice, Page, Source } from '../../src/connectors/kit/contract.js';
import { runSlice, type SliceContext } from '../../src/sync/run/run-slice.js';

const PAGES = 5;

const context: SliceContext = {
  ...aContext(),
  job: { id: null, save: () => Promise.resolve() },
  exchange: null,
  ledger: { list: () => Promise.resolve([]), plan: () => Promise.resolve(), confirm: () => Promise.resolve() },
};

async function* pages(): AsyncGenerator<Page> {
  for (let page = 0; page < PAGES; page++) yield Promise.resolve(toPage([aRow({ campaign_id: BigInt(page) })]));
}

const source: Source = {
  provider: 'google_ads',
  streams: [campaignDaily],
  listAccounts: () => Promise.resolve([]),
  lookbackDays: () => Promise.resolve(0),
  read: pages,
};

async function takeAll(given: AsyncIterable<Page>, failAfter = Infinity): Promise<LoadedSlice> {
  let rowsWritten = 0;
  for await (const { rowCount } of given) {
    rowsWritten += rowCount;
    if (rowsWritten >= failAfter) throw new Error('the destination is unavailable');
  }
  return { rowsWritten, bytes: 1 };
}

const destinationThat = (write: (given: AsyncIterable<Page>) => Promise<LoadedSlice>): Destination => ({
  provider: 'postgresql',
  check: () => Promise.resolve([]),
  tableName: ({ table }) => table,
  prepare: () => Promise.resolve(new Map()),
  locate: () => Promise.resolve(new Map()),
  write: (_context, _slice, given) => write(given),
  preview: () => Promise.reject(new Error('not used')),
  totals: () => Promise.resolve([]),
  close: () => Promise.resolve(),
});

async function countsOf(destination: Destination): Promise<{ read: number; written: number }[]> {
  const counts = { read: 0, written: 0 };
  const seen: { read: number; written: number }[] = [];
  const add = (read: number, written: number) => {
    counts.read += read;
    counts.written += written;
    seen.push({ ...counts });
  };
  await runSlice(context, {
    source,
    destination,
    slice: aSlice(),
    written: campaignDaily,
    hashed: [],
    acceptsEmpty: false,
    fence: { runId: '00000000-0000-7000-8000-000000000000', leaseEpoch: 1n },
    lookbackDays: 0,
    now: new Date(),
    progress: {
      rowsRead: (count) => add(count, 0),
      rowsTaken: (count) => add(0, count),
      rowsForgotten: (read, taken) => add(-read, -taken),
      sliceLoaded: (difference) => add(0, difference),
    },
  }).catch(() => undefined);
  return seen;
}

it('advances with every page that is read or accepted by the destination, and ends with the written rows', async () => {
  const seen = await countsOf(destinationThat((given) => takeAll(given)));
  expect(seen.map(({ written }) => written)).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  expect(seen.at(-1)).toEqual({ read: PAGES, written: PAGES });
});

it('returns to its previous value if the slice is not loaded', async () => {
  const seen = await countsOf(destinationThat((given) => takeAll(given, 3)));
  expect(Math.max(...seen.map(({ written }) => written))).toBe(2);
  expect(seen.at(-1)).toEqual({ read: 0, written: 0 });
});
