import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashContent, differingColumns } from '../../../src/connectors/kit/totals/content.js';
import { ContentSums } from '../../../src/connectors/kit/totals/content-sums.js';
import type { Destination, Row } from '../../../src/connectors/kit/contract.js';
import { postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import { aContext } from '../context.js';
import { aRow, aSlice, campaignDaily, pagesOf, toPage } from '../rows.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';

let warehouse: Warehouse;
let destination: Destination;

beforeAll(async () => {
  warehouse = await startWarehouse();
  destination = postgresqlDestination(warehouse.settings, ownNetwork);
  await destination.prepare(aContext(), [campaignDaily]);
});
afterAll(async () => {
  await destination?.close();
  await warehouse?.stop();
});

const slice = aSlice();

function summed(rows: Row[]) {
  const sums = new ContentSums(campaignDaily, slice, { hashesText: true });
  // In pages, as they arrive.
  for (let at = 0; at < rows.length; at += 1_000) sums.add(toPage(rows.slice(at, at + 1_000)).lines);
  return sums.take();
}

async function reported(rows: Row[]) {
  await destination.write(aContext(), slice, pagesOf(rows), { runId: randomUUID(), leaseEpoch: 1n });
  return new Map((await destination.totals(aContext(), slice)).map((day) => [day.day, day]));
}

async function expectEqual(rows: Row[]): Promise<void> {
  const [sent, found] = [summed(rows), await reported(rows)];
  expect([...sent.keys()].sort()).toEqual([...found.keys()].sort());
  for (const [day, content] of sent) expect(found.get(day)?.content).toEqual(content);
}

const texts = [
  '',
  'a',
  'ab',
  'abcdefghijk',
  'abcdefghijkl',
  'abcdefghijklm',
  'x'.repeat(1_000),
  'Größe ü€😀',
  'tab\there',
  'line\nend',
  'back\\slash',
  '\\N',
  'nul\0byte',
];
const doubles = [
  0,
  -0,
  1.5,
  0.1,
  -0.1,
  1e-9,
  123_456.789_012_345,
  Number('0.12345678901234567'),
  1e15,
  2 ** 53 - 1,
  -(2 ** 52) - 0.5,
  2 ** 53,
  1e300,
  -1e300,
  Infinity,
  NaN,
  5e-324,
];
const wholes = [
  0n,
  1n,
  -1n,
  999_999_999n,
  1_000_000_000n,
  -1_000_000_001n,
  9_223_372_036_854_775_807n,
  -9_223_372_036_854_775_808n,
];

it.each<[string, Row[]]>([
  ['text of every length and with every escape', texts.map((campaign_name) => ({ campaign_name }))],
  ['doubles of every size, including NaN and infinity', doubles.map((conversions) => ({ conversions }))],
  ['whole numbers up to the limits', wholes.map((cost_micros) => ({ cost_micros }))],
  ['cells that are null', [{ campaign_name: null, conversions: null, view_through_conversions: null }, {}]],
])('PostgreSQL counts and sums equal those of the sent rows: %s', async (_, changes) => {
  await expectEqual(
    changes.map((change, index) => aRow({ ...change, campaign_id: BigInt(index), date: `2026-01-0${(index % 3) + 1}` })),
  );
});

it('sums more rows than one flush holds, in any order', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    aRow({
      campaign_id: 10n ** 17n + BigInt(index),
      conversions: index / 7,
      conversions_value: -index / 3,
      campaign_name: `Campaign ${index}`,
    }),
  );
  await expectEqual(rows);
  expect(summed(rows.toReversed())).toEqual(summed(rows));
});

it.each([
  ['the last digit of a double', { conversions: 1.500_000_000_001 }, ['conversions']],
  ['a letter', { campaign_name: 'brand' }, ['campaign_name']],
  ['an empty cell', { all_conversions: null }, ['all_conversions']],
])('a change of %s is detected', (_, change, names) => {
  const [before, after] = [[aRow()], [aRow(change)]].map((rows) => summed(rows).get('2026-01-01'));
  expect(differingColumns(campaignDaily, before, after)).toEqual(names);
  expect(hashContent(campaignDaily, { rows: 1, content: before as NonNullable<typeof before> })).not.toBe(
    hashContent(campaignDaily, { rows: 1, content: after as NonNullable<typeof after> }),
  );
});

it('swapped values of two rows give equal sums, other texts and keys do not', () => {
  const rows = (first: Row, second: Row) => summed([aRow({ campaign_id: 1n, ...first }), aRow({ campaign_id: 2n, ...second })]);
  expect(rows({ clicks: 1n }, { clicks: 2n })).toEqual(rows({ clicks: 2n }, { clicks: 1n }));
  expect(rows({ campaign_name: 'ab' }, { campaign_name: 'c' })).not.toEqual(
    rows({ campaign_name: 'a' }, { campaign_name: 'bc' }),
  );
});

it('a database with another encoding is verified without text', async () => {
  const name = `${warehouse.settings.database}_latin1`;
  await warehouse.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
  const latin = postgresqlDestination({ ...warehouse.settings, database: name }, ownNetwork);
  try {
    await latin.prepare(aContext(), [campaignDaily]);
    const rows = [aRow({ campaign_name: 'Größe' })];
    await latin.write(aContext(), slice, pagesOf(rows), { runId: randomUUID(), leaseEpoch: 1n });
    const [day] = await latin.totals(aContext(), slice);
    expect(differingColumns(campaignDaily, summed(rows).get('2026-01-01'), day?.content)).toEqual([]);
    const other = summed([aRow({ campaign_name: null, clicks: 11n })]).get('2026-01-01');
    expect(differingColumns(campaignDaily, other, day?.content)).toEqual(['campaign_name', 'clicks']);
  } finally {
    await latin.close();
    await warehouse.query(`drop database ${name} with (force)`);
  }
});
