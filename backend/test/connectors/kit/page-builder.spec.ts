import { expect, it } from 'vitest';
import { KeySet } from '../../../src/connectors/kit/totals/key-set.js';
import { PageBuilder } from '../../../src/connectors/kit/rows/page-builder.js';
import { addSums, emptySums } from '../../../src/connectors/kit/totals/sums.js';
import { aRow, aSlice, campaignDaily, readRows, sumRowsByDay } from '../rows.js';

const problems = {
  rowRepeated: (key: string) => new Error(`repeated: ${key}`),
  dayOutside: (day: string) => new Error(`outside: ${day}`),
};
const aBuilder = () => new PageBuilder(aSlice(), {}, problems);

it('rejects a row with a duplicate key', () => {
  const builder = aBuilder();
  builder.addRow(aRow());
  builder.addRow(aRow({ device: 'TABLET' }));
  expect(() => builder.addRow(aRow({ clicks: 5n }))).toThrow('repeated: 2026-01-01, 1, MOBILE, SEARCH');
});

it('distinguishes keys whose cells have the same concatenation', () => {
  const builder = aBuilder();
  builder.addRow(aRow({ device: 'AB', network: 'C' }));
  builder.addRow(aRow({ device: 'A', network: 'BC' }));
  expect(builder.takeAll()).toMatchObject([{ rowCount: 2 }]);
});

it('distinguishes keys that differ only by a null byte, and shows it', () => {
  const builder = aBuilder();
  builder.addRow(aRow({ device: 'AB' }));
  builder.addRow(aRow({ device: 'A\0B' }));
  expect(builder.takeAll().flatMap((page) => readRows(campaignDaily, page).map((row) => row['device']))).toEqual(['AB', 'A␀B']);
});

it('rejects a duplicate key after a million others', () => {
  const keys = new KeySet();
  const bytes = Buffer.alloc(8);
  const add = (number: number) => {
    bytes.writeUInt32LE(number, 2);
    keys.start();
    keys.mix(bytes, 0, bytes.length);
    return keys.add();
  };
  for (let number = 0; number < 1_000_000; number++) if (!add(number)) throw new Error(`${number} is new`);
  expect([0, 1, 499_999, 999_999].map(add)).toEqual([false, false, false, false]);
});

it.each(['2025-12-31', '2026-01-04', '2026-02-31', ''])('rejects the day %j, which is outside the slice', (date) => {
  expect(() => aBuilder().addRow(aRow({ date }))).toThrow(`outside: ${date}`);
});

it('sums each day exactly, also above 2^53', () => {
  const values = [9_007_199_254_740_993n, -5n, 999_999_999_999n, 1n, -9_223_372_036_854_775_808n, 0n];
  const rows = values.map((value, index) =>
    aRow({
      campaign_id: BigInt(index),
      date: `2026-01-0${(index % 2) + 1}`,
      cost_micros: value,
      clicks: value,
      impressions: value,
    }),
  );
  const builder = aBuilder();
  for (const row of rows) builder.addRow(row);
  expect(builder.takeAll()[0]?.days).toEqual(sumRowsByDay(rows));
});

it('yields pages of limited size with every row once', () => {
  const builder = aBuilder();
  const rows = Array.from({ length: 9_000 }, (_, index) =>
    aRow({ campaign_id: BigInt(index), campaign_name: 'x'.repeat(index % 90) }),
  );
  const pages = rows.flatMap((row) => {
    builder.addRow(row);
    return builder.take();
  });
  pages.push(...builder.takeAll());
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages) expect(page.lines.length).toBeLessThanOrEqual(256 * 1024);
  expect(pages.flatMap((page) => readRows(campaignDaily, page))).toEqual(rows);
  const sums = pages.flatMap(({ days }) => days).reduce((sum, day) => addSums(sum, day), emptySums());
  expect(sums).toEqual(sumRowsByDay(rows).map(({ day: _, ...rest }) => rest)[0]);
});

it('accepts a row larger than a page', () => {
  const builder = aBuilder();
  const large = aRow({ campaign_name: 'x'.repeat(1_000_000) });
  builder.addRow(large);
  builder.addRow(aRow({ campaign_id: 2n }));
  expect(builder.takeAll().flatMap((page) => readRows(campaignDaily, page))).toEqual([large, aRow({ campaign_id: 2n })]);
});
