import { reports } from '../../src/connectors/google-ads/streams.js';
import type { AdAccount, Row, Slice, Stream } from '../../src/connectors/kit/contract.js';

export const anAccount: AdAccount = {
  externalId: '9001000011',
  name: 'Northwind DE',
  currency: 'EUR',
  timeZone: 'Europe/Berlin',
  managerId: null,
  status: 'enabled',
};

export const campaignDaily = reports[0]?.stream as Stream;

export function aSlice(overrides: Partial<Slice> = {}): Slice {
  return { stream: campaignDaily, account: anAccount, from: '2026-01-01', to: '2026-01-03', ...overrides };
}

/** One row per campaign number, of one day. */
export function aRow(overrides: Row = {}): Row {
  return {
    date: '2026-01-01',
    account_id: anAccount.externalId,
    account_name: anAccount.name,
    currency: 'EUR',
    campaign_id: 1n,
    campaign_name: 'Brand',
    campaign_status: 'ENABLED',
    channel_type: 'SEARCH',
    device: 'MOBILE',
    network: 'SEARCH',
    impressions: 100n,
    clicks: 10n,
    cost_micros: 1_230_000n,
    conversions: 1.5,
    conversions_value: 0.1,
    all_conversions: 2,
    view_through_conversions: 0n,
    ...overrides,
  };
}

export async function* pagesOf(...pages: Row[][]): AsyncGenerator<Row[]> {
  yield* pages;
}
