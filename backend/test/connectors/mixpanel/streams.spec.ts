import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reports as googleReports } from '../../../src/connectors/google-ads/streams.js';
import type { Column, Row, Stream, Value } from '../../../src/connectors/kit/contract.js';
import { unifiedStream } from '../../../src/connectors/kit/unified.js';
import { reports as metaReports } from '../../../src/connectors/meta-ads/streams.js';
import { shapeOf } from '../../../src/connectors/mixpanel/shape.js';
import { MixpanelSandbox, startMixpanel, Target } from './mixpanel-sandbox.js';
import { sumRowsByDay } from '../rows.js';

let mixpanel: MixpanelSandbox;
beforeAll(async () => {
  mixpanel = await startMixpanel();
});
afterAll(() => mixpanel.sandbox.stop());

const microsoft = unifiedStream('microsoft_ads', 'Because.');
const streams: Stream[] = [...[...googleReports, ...metaReports].map(({ stream }) => stream), microsoft];

/** A value that fits the column; different numbers give different values. */
function aValue({ name, type }: Column, number: number): Value {
  if (type === 'boolean') return number % 2 === 0;
  if (type === 'double') return number / 8;
  return type === 'bigint' ? BigInt(number) * 1_234_567n : `${name} ${number}`;
}

function aRow(target: Target, { columns, key, scope }: Stream, row: number, number: number): Row {
  const values = columns.map((column) => [column.name, aValue(column, key.includes(column.name) ? row : number)]);
  const fixed = { date: `2026-02-0${row}`, account_id: target.account.externalId, ...(scope && { [scope.column]: scope.value }) };
  return { ...(Object.fromEntries(values) as Row), ...fixed };
}

describe.each(streams.map((stream) => ({ stream, name: `${stream.table} ${stream.scope?.value ?? ''}` })))(
  '$name',
  ({ stream }) => {
    it('becomes events with the platform, ids as text and each property once', () => {
      const { amounts, texts, fixed } = shapeOf(stream);
      const names = [...amounts, ...texts].map(({ property }) => property);
      expect(new Set(names).size).toBe(names.length);
      expect(fixed['source']).toMatch(/^(Google|Facebook|Microsoft)$/);
      for (const { property, type } of texts) if (property.endsWith('_id')) expect(type).toBe('text');
      for (const { property } of amounts) expect(property).not.toMatch(/_micros$|_id$|_rate$/);
    });

    it('arrives, is restated and removed', async () => {
      const target = new Target();
      const slice = target.slice({ stream, from: '2026-02-01', to: '2026-02-03' });
      const first = [1, 2, 3].map((row) => aRow(target, stream, row, row));
      expect(await target.load(mixpanel.open(), first, slice)).toEqual(sumRowsByDay(first));
      const restated = [aRow(target, stream, 1, 9), aRow(target, stream, 2, 2)];
      expect(await target.load(mixpanel.open(), restated, slice)).toEqual(sumRowsByDay(restated));
      const { sums } = await mixpanel.totals(target.account);
      for (const { property } of shapeOf(stream).amounts) expect(Number(sums[property])).toBeGreaterThan(0);
      expect(await target.load(mixpanel.open(), [], slice)).toEqual([]);
    });
  },
);
