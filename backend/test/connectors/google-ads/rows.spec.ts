import { expect, it } from 'vitest';
import { createRowReader } from '../../../src/connectors/google-ads/rows.js';
import { reports, type Report } from '../../../src/connectors/google-ads/streams.js';
import { CorruptAnswer } from '../../../src/connectors/kit/errors.js';
import { anAccount } from '../rows.js';

const reader = createRowReader(reports[0] as Report);
const whole = {
  campaign: { id: '1', name: 'Brand', status: 'ENABLED', advertisingChannelType: 'SEARCH' },
  segments: { date: '2026-01-01', device: 'MOBILE', adNetworkType: 'SEARCH' },
  metrics: { impressions: '10', clicks: '1', costMicros: '1230000', conversions: 1.5 },
};

it.each([
  ['campaign.id', { ...whole, campaign: {} }],
  ['campaign.id', { ...whole, campaign: { id: 1 } }],
  ['campaign.id', { ...whole, campaign: { id: '0x1' } }],
  ['campaign', { ...whole, campaign: undefined }],
  ['segments.date', { ...whole, segments: { date: '01.01.2026' } }],
  ['metrics.clicks', { ...whole, metrics: { clicks: '1.5' } }],
  ['metrics.clicks', { ...whole, metrics: { clicks: '' } }],
  ['metrics.conversions', { ...whole, metrics: { conversions: '1.5' } }],
  ['campaign.name', { ...whole, campaign: { id: '1', name: null } }],
  ['segments', null],
])('names the path of an unexpected value: %s', (path, row) => {
  const read = () => reader.read([whole, row], 2_000, anAccount);
  expect(read).toThrow(CorruptAnswer);
  expect(read).toThrow(`results.2001.${path}:`);
});

it('reads omitted fields as zero and an unset segment as UNSPECIFIED', () => {
  const [row] = reader.read([{ campaign: { id: '1' }, segments: { date: '2026-01-01' } }], 0, anAccount);
  expect(row).toMatchObject({
    clicks: 0n,
    cost_micros: 0n,
    conversions: 0,
    campaign_name: '',
    device: 'UNSPECIFIED',
    network: 'UNSPECIFIED',
  });
});

it('preserves 64-bit numbers', () => {
  const [row] = reader.read([{ ...whole, metrics: { costMicros: '9007199254740993' } }], 0, anAccount);
  expect(row?.['cost_micros']).toBe(9_007_199_254_740_993n);
});
