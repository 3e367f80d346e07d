import type { ConnectorContext, Page, RequestRecord, Row } from '../../src/connectors/kit/contract.js';
import { campaignDaily, readRows } from './rows.js';

export interface TestContext extends ConnectorContext {
  requests: RequestRecord[];
}

export function aContext(): TestContext {
  const requests: RequestRecord[] = [];
  return { signal: new AbortController().signal, requests, onRequest: (request) => void requests.push(request) };
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
