import { expect, it } from 'vitest';
import fc from 'fast-check';
import { RowScanner } from '../../../src/connectors/google-ads/row-scanner.js';
import { createRowReader } from '../../../src/connectors/google-ads/rows.js';
import { reports, type Report } from '../../../src/connectors/google-ads/streams.js';
import type { Row } from '../../../src/connectors/kit/contract.js';
import { PageBuilder } from '../../../src/connectors/kit/rows/page-builder.js';
import { anAccount, aSlice, readRows } from '../rows.js';

const report = reports[0] as Report;
const reader = createRowReader(report);
const scanner = new RowScanner(report.stream.columns, reader.sections);
const problem = () => new Error('not a whole slice');

/** The row as read by the scanner, or null if it rejects it. */
function scan(text: string): Row | null {
  const bytes = Buffer.from(`xx${text}\0`);
  const end = scanner.scan(bytes, 2);
  if (end === -1) return null;
  expect(end).toBe(bytes.length - 1);
  const builder = new PageBuilder(aSlice(), reader.defaults(anAccount), { rowRepeated: problem, dayOutside: problem });
  builder.add(scanner.cells);
  return readRows(report.stream, builder.takeAll()[0] ?? { lines: Buffer.alloc(0) })[0] ?? null;
}

const whole = {
  campaign: { id: '1', name: 'Brand', status: 'ENABLED', advertisingChannelType: 'SEARCH' },
  metrics: { impressions: '10', clicks: '1', costMicros: '1230000', conversions: 1.5 },
  segments: { device: 'MOBILE', adNetworkType: 'SEARCH', date: '2026-01-01' },
};

it.each([
  ['an id that is missing', { ...whole, campaign: {} }],
  ['an id that is a number', { ...whole, campaign: { id: 1 } }],
  ['an id in another notation', { ...whole, campaign: { id: '007' } }],
  ['an id with too many digits', { ...whole, campaign: { id: '1234567890123456789' } }],
  ['a name that is null', { ...whole, campaign: { id: '1', name: null } }],
  ['a section that is missing', { ...whole, campaign: undefined }],
  ['a day in another notation', { ...whole, segments: { date: '01.01.2026' } }],
  ['a day with a suffix', { ...whole, segments: { date: '2026-01-01T00' } }],
  ['a fraction of a click', { ...whole, metrics: { clicks: '1.5' } }],
  ['an empty number', { ...whole, metrics: { clicks: '' } }],
  ['a minus alone', { ...whole, metrics: { clicks: '-' } }],
  ['conversions as text', { ...whole, metrics: { conversions: '1.5' } }],
  ['an exponent', { ...whole, metrics: { conversions: 1e-9 } }],
  ['a section of another name', { ...whole, customer: { id: '1' } }],
  ['an object instead of text', { ...whole, campaign: { id: '1', name: {} } }],
])('leaves %s to the full reader', (_, row) => {
  expect(scan(JSON.stringify(row))).toBeNull();
});

it.each([
  ['a comma too many', '{"campaign":{"id":"1",},"segments":{"date":"2026-01-01"}}'],
  ['a comma too few', '{"campaign":{"id":"1""name":"a"},"segments":{"date":"2026-01-01"}}'],
  ['no colon', '{"campaign"{"id":"1"},"segments":{"date":"2026-01-01"}}'],
  ['a line break in a name', '{"campaign":{"id":"1","name":"a\nb"},"segments":{"date":"2026-01-01"}}'],
  ['an escape that does not exist', '{"campaign":{"id":"1","name":"\\x"},"segments":{"date":"2026-01-01"}}'],
  ['a leading zero', '{"campaign":{"id":"1"},"metrics":{"conversions":01},"segments":{"date":"2026-01-01"}}'],
  ['a point without digits', '{"campaign":{"id":"1"},"metrics":{"conversions":1.},"segments":{"date":"2026-01-01"}}'],
  ['a duplicate section', '{"campaign":{"id":"1"},"segments":{"date":"2026-01-01"},"campaign":{}}'],
])('rejects JSON with %s', (_, text) => {
  expect(scan(text)).toBeNull();
});

it('rejects a row truncated at any position', () => {
  const text = JSON.stringify(whole);
  for (let length = 1; length < text.length; length++) expect(scan(text.slice(0, length))).toBeNull();
});

const name = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', ''));
const metric = fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }).map(String);
const decimal = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.nat(1_000_000_000).map((hundredths) => hundredths / 100),
);
const optional = { requiredKeys: [] as never[] };
const rows = fc.record({
  campaign: fc.record(
    { id: metric, resourceName: name, name, status: name, advertisingChannelType: name },
    { requiredKeys: ['id'] },
  ),
  metrics: fc.record({ impressions: metric, clicks: metric, costMicros: metric, conversions: decimal }, optional),
  segments: fc.record({ device: name, adNetworkType: name, date: fc.constant('2026-01-02') }, { requiredKeys: ['date'] }),
});

it('reads a row like the full reader or leaves it to it, in any JSON formatting', () => {
  let taken = 0;
  fc.assert(
    fc.property(rows, fc.constantFrom(0, 1, '\t', '\r\n'), fc.boolean(), (row, indent, isReversed) => {
      const ordered = isReversed ? Object.fromEntries(Object.entries(row).reverse()) : row;
      const text = JSON.stringify(ordered, null, indent);
      const found = scan(text);
      if (found === null) return;
      taken++;
      expect(found).toEqual(reader.read([JSON.parse(text)], 0, anAccount)[0]);
    }),
    { numRuns: 2_000 },
  );
  expect(taken).toBeGreaterThan(500);
});

it('reads the usual row, also with escaped names', () => {
  for (const text of ['Generic "outdoor" | broad', 'a\\b', 'tab\there', 'Größe 日本 🚀', '\u2028', '']) {
    const row = { ...whole, campaign: { ...whole.campaign, name: text } };
    expect(scan(JSON.stringify(row))).toEqual(reader.read([row], 0, anAccount)[0]);
    expect(scan(JSON.stringify(row))?.['campaign_name']).toBe(text);
  }
});
