import { randomUUID } from 'node:crypto';
import { googleAdsSource } from '../src/connectors/google-ads/index.js';
import type { Destination, Slice, Source } from '../src/connectors/kit/contract.js';
import { addDays, chunkDays } from '../src/connectors/kit/days.js';
import { postgresqlDestination } from '../src/connectors/postgresql/index.js';
import { runSlice, type SliceContext } from '../src/sync/run/run-slice.js';

/** Same setting as in the worker. */
const SLICE_DAYS = 30;
const PARALLEL_SLICES = 3;
const LOOKBACK_DAYS = 30;

export interface Login {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
}

/** Without report jobs, exchange rates and the ledger of sent rows, which Google Ads and PostgreSQL do not use. */
export const context: SliceContext = {
  signal: new AbortController().signal,
  onRequest: () => undefined,
  job: { id: null, save: () => Promise.resolve() },
  exchange: null,
  ledger: { list: () => Promise.resolve([]), plan: () => Promise.resolve(), confirm: () => Promise.resolve() },
};
const silent = {
  rowsRead: () => undefined,
  rowsTaken: () => undefined,
  rowsForgotten: () => undefined,
  sliceLoaded: () => undefined,
};

/** Both connectors with the engine between them: a slice is read, checked, written, read back and compared. */
export class Engine {
  readonly source: Source;
  readonly destination: Destination;

  constructor(sourceUrl: string, token: string, login: Login) {
    const accessToken = { accessToken: () => Promise.resolve(token) };
    this.source = googleAdsSource({ baseUrl: `${sourceUrl}/google-ads`, apiVersion: 'v26' }, accessToken);
    const settings = { ...login, schema: 'public', sslMode: 'disable' as const, tablePrefix: '' };
    this.destination = postgresqlDestination(settings, { allowed: ['127.0.0.0/8'] });
  }

  /** Slices of the last days of the sandbox's load-test account. */
  async planSlices(days: number): Promise<Slice[]> {
    const [account] = await this.source.listAccounts(context);
    const [stream] = this.source.streams;
    if (!account || !stream) throw new Error('the sandbox has no load-test account');
    const to = addDays(new Date().toISOString().slice(0, 10), -2);
    return chunkDays(addDays(to, 1 - days), to, SLICE_DAYS).map((range) => ({ stream, account, ...range }));
  }

  /** Returns the number of rows of these slices at the destination. */
  async load(slices: Slice[]): Promise<number> {
    const waiting = [...slices];
    const fence = { runId: randomUUID(), leaseEpoch: 1n };
    let rows = 0;
    const lane = async () => {
      for (let slice = waiting.shift(); slice; slice = waiting.shift()) {
        const { source, destination } = this;
        const work = {
          source,
          destination,
          slice,
          written: slice.stream,
          hashed: [],
          acceptsEmpty: false,
          fence,
          lookbackDays: LOOKBACK_DAYS,
        };
        const { found, differingDays } = await runSlice(context, { ...work, now: new Date(), progress: silent });
        if (differingDays.length > 0) throw new Error(`not loaded as read: ${differingDays.join(', ')}`);
        rows += found.rows;
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_SLICES }, lane));
    return rows;
  }
}
