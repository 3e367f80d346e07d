import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectorContext, Day, DayTotals, Metric, Slice, WriteContext } from '../kit/contract.js';
import { addSums, emptySums } from '../kit/totals/sums.js';
import { toMicros, toWhole } from './decimal.js';
import { lostEvents, notShownYet } from './errors.js';
import { countDifferent, sliceId, unseen, type SentRevision } from './expectation.js';
import { confirmSent } from './unconfirmed-rows.js';
import type { Loader } from './loader.js';
import { shapeOf, type Shape } from './shape.js';
import { amountOf, type VisibleRow, type VisibleRows } from './visible-rows.js';

/**
 * Totals by day of the events that Mixpanel returns. The first difference from what was sent throws `lostEvents`: the slice is
 * then retried and repaired from what Mixpanel returns. After that repair, differences are reported in the totals. Accepted
 * events that Mixpanel does not return yet throw `notShownYet`, with the totals without them. They stay planned: sent again with
 * the same ids they count once, while a difference with another id would count twice.
 */
export async function readTotals(loader: Loader, context: WriteContext, slice: Slice): Promise<DayTotals[]> {
  const id = sliceId(slice);
  const expectation = loader.expectations.get(id);
  const visible = await readShown(loader, context, slice);
  const totals = sumByDay(shapeOf(slice.stream), visible);
  if (!expectation) return totals;
  const late = unseen(expectation, visible);
  const different = countDifferent(slice, expectation, visible);
  if (different > 0 && !expectation.isRepaired) {
    loader.suspects.add(id);
    throw lostEvents(different);
  }
  loader.expectations.delete(id);
  await confirmSent(context, slice, expectation, late);
  if (late.size > 0) throw notShownYet(late.size, daysOf(late), totals);
  return totals;
}

/** Events appear several seconds after they were accepted, so the read is repeated after each of `waitsMs`. */
async function readShown(loader: Loader, context: ConnectorContext, slice: Slice): Promise<VisibleRows> {
  const expectation = loader.expectations.get(sliceId(slice)) ?? { sent: new Map<string, never>() };
  for (const waitMs of loader.waitsMs) {
    const visible = await loader.readBack.rows(context, slice);
    if (unseen(expectation, visible).size === 0) return visible;
    await delay(waitMs, undefined, { signal: context.signal });
    loader.readBack.sent(slice);
  }
  return loader.readBack.rows(context, slice);
}

const daysOf = (rows: Map<string, SentRevision>): Day[] => [...new Set([...rows.values()].map(({ day }) => day))].sort();

/** Removed rows should sum to 0. Their amounts are counted anyway, to detect errors. */
function sumByDay(shape: Shape, visible: VisibleRows): DayTotals[] {
  const days = new Map<Day, DayTotals>();
  for (const row of visible.values()) {
    const sums = {
      rows: row.isPresent ? 1 : 0,
      costMicros: toMicros(metricOf(shape, row, 'costMicros')),
      clicks: toWhole(metricOf(shape, row, 'clicks')),
      impressions: toWhole(metricOf(shape, row, 'impressions')),
    };
    days.set(row.day, { day: row.day, ...addSums(days.get(row.day) ?? emptySums(), sums) });
  }
  return [...days.values()].filter(hasAnything).sort((left, right) => (left.day < right.day ? -1 : 1));
}

function metricOf(shape: Shape, row: VisibleRow, metric: Metric): bigint {
  const property = shape.metrics[metric];
  return property === null ? 0n : amountOf(row, property);
}

const hasAnything = ({ rows, costMicros, clicks, impressions }: DayTotals): boolean =>
  rows > 0 || costMicros !== 0n || clicks !== 0n || impressions !== 0n;
