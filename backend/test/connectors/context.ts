import type {
  Page,
  ReadContext,
  RemoteJob,
  RequestRecord,
  Row,
  SentRow,
  WriteContext,
} from '../../src/connectors/kit/contract.js';
import { campaignDaily, readRows } from './rows.js';

export interface TestContext extends ReadContext, WriteContext {
  requests: RequestRecord[];
}

export function aContext(): TestContext {
  const requests: RequestRecord[] = [];
  return {
    signal: new AbortController().signal,
    requests,
    onRequest: (request) => void requests.push(request),
    job: aRemoteJob(),
    exchange: null,
    provisionalFrom: null,
    ledger: aLedger(),
    hashed: [],
  };
}

/** Stores the id like the engine. */
export function aRemoteJob(id: string | null = null): RemoteJob {
  const job = {
    id,
    save: (next: string | null) => {
      job.id = next;
      return Promise.resolve();
    },
  };
  return job;
}

/** A ledger like the engine's, for one slice's stream and account. */
export function aLedger(rows = new Map<string, SentRow>()): WriteContext['ledger'] {
  return {
    list: ({ from, to }) => Promise.resolve([...rows.values()].filter(({ day }) => day >= from && day <= to)),
    plan: (_slice, planned) => {
      for (const row of planned) rows.set(row.key, row);
      return Promise.resolve();
    },
    confirm: (_slice, keys) => {
      for (const key of keys) rows.set(key, { ...(rows.get(key) as SentRow), planned: null });
      return Promise.resolve();
    },
  };
}

export async function collect(
  pages: AsyncIterable<Page>,
  stream = campaignDaily,
): Promise<{ rows: Row[]; last: Page | undefined }> {
  const rows: Row[] = [];
  let last: Page | undefined;
  for await (const page of pages) {
    rows.push(...readRows(stream, page));
    last = page;
  }
  return { rows, last };
}
