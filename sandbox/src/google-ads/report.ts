import { campaignsOf, networkNames, type Campaign } from './campaigns.ts';
import { entityTest, metricTest, segmentTest, sortRows } from './conditions.ts';
import { conversionActionValues } from './conversion-actions.ts';
import { entitiesOf, slotsOf, type Entity } from './entities.ts';
import type { AttributeValue } from './fields.ts';
import { conversionActionCount, conversionsOf, shareOf } from './finer.ts';
import { addMetrics, adGroupCount, devices, fillGrid, historyDays, metricCount, networkCount, newGrid } from './numbers.ts';
import { needsMetrics, type Plan } from './plan.ts';
import type { ReadContext } from './read-context.ts';
import type { Row } from './row.ts';

/** Entities whose traffic is summed: one sum, or one per ad group. */
interface Unit {
  campaigns: readonly Campaign[];
  slots: Entity[][];
}

/** Includes hidden rows, which are summed but not listed. */
export function* readRows(plan: Plan, context: ReadContext): Generator<Row> {
  const rows = needsMetrics(plan) ? metricRows(plan, context) : listedRows(plan, context);
  const sorted = plan.orderBy.length > 0 ? sortRows([...rows], plan) : rows;
  let left = plan.limit ?? Number.POSITIVE_INFINITY;
  for (const row of sorted) {
    if (!row.entity.isHidden && left-- <= 0) return;
    yield row;
  }
}

function* listedRows(plan: Plan, context: ReadContext): Generator<Row> {
  const isWanted = entityTest(plan);
  for (const entity of entitiesOf(plan.resource, context)) {
    if (isWanted(entity) && !entity.isHidden)
      yield { entity, dayNumber: null, device: null, network: null, conversionAction: null, metrics: null };
  }
}

function* metricRows(plan: Plan, context: ReadContext): Generator<Row> {
  const units = unitsOf(plan, context);
  const days = readDays(plan, context.today);
  const adder = new Adder(plan, context);
  if (plan.segments.byDate) {
    for (const dayNumber of days) {
      for (const unit of units) {
        adder.add(unit, dayNumber);
        yield* adder.takeRows(unit, dayNumber);
      }
    }
    return;
  }
  for (const unit of units) {
    for (const dayNumber of days) adder.add(unit, dayNumber);
    yield* adder.takeRows(unit, null);
  }
}

function unitsOf(plan: Plan, context: ReadContext): Unit[] {
  const { account } = context;
  const isWanted = entityTest(plan);
  if (plan.resource === 'customer')
    return [{ campaigns: campaignsOf(account), slots: [entitiesOf('customer', context).filter(isWanted)] }];
  return campaignsOf(account)
    .map((campaign) => ({
      campaigns: [campaign],
      slots: slotsOf(plan.resource, account, campaign).map((entities) => entities.filter(isWanted)),
    }))
    .filter(({ slots }) => slots.some((entities) => entities.length > 0));
}

function readDays(plan: Plan, today: number): number[] {
  const from = Math.max(plan.dates?.fromDay ?? Number.NEGATIVE_INFINITY, today - historyDays);
  const to = Math.min(plan.dates?.toDay ?? Number.POSITIVE_INFINITY, today);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

const bucketsPerEntity = devices.length * networkNames.length;

/** Sums grids into one bucket per entity × device × network, without unselected dimensions. */
class Adder {
  readonly #plan: Plan;
  readonly #context: ReadContext;
  readonly #grid = newGrid();
  readonly #buckets = new Float64Array(adGroupCount * bucketsPerEntity * metricCount);
  readonly #actions: Record<string, AttributeValue>[];
  readonly #isMetricWanted: (metrics: Float64Array) => boolean;
  readonly #isSegmentWanted: (device: string | null, network: string | null) => boolean;

  constructor(plan: Plan, context: ReadContext) {
    this.#plan = plan;
    this.#context = context;
    this.#actions = conversionActionValues(context.account).slice(0, conversionActionCount);
    this.#isMetricWanted = metricTest(plan);
    this.#isSegmentWanted = segmentTest(plan);
  }

  add(unit: Unit, dayNumber: number): void {
    const { account, today, revisionOf } = this.#context;
    const day = { dayNumber, ageDays: today - dayNumber, revision: revisionOf(dayNumber) };
    for (const campaign of unit.campaigns) {
      if (fillGrid(this.#grid, account, campaign, day)) this.#addGrid(campaign, unit.slots.length > 1);
    }
  }

  #addGrid(campaign: Campaign, isPerAdGroup: boolean): void {
    const { byDevice, byNetwork } = this.#plan.segments;
    const grid = this.#grid;
    const buckets = this.#buckets;
    let from = 0;
    for (let adGroup = 0; adGroup < adGroupCount; adGroup++) {
      for (let device = 0; device < devices.length; device++) {
        for (let network = 0; network < networkCount; network++) {
          const column = (byDevice ? device : 0) * networkNames.length + (byNetwork ? (campaign.networks[network] ?? 0) : 0);
          const to = ((isPerAdGroup ? adGroup : 0) * bucketsPerEntity + column) * metricCount;
          addMetrics(buckets, to, grid, from);
          from += metricCount;
        }
      }
    }
  }

  /** Returns the rows of the unit and resets the buckets. */
  *takeRows(unit: Unit, dayNumber: number | null): Generator<Row> {
    const { byDate, byDevice, byNetwork, byConversionAction } = this.#plan.segments;
    const isSegmented = byDate || byDevice || byNetwork || byConversionAction;
    for (const [slot, entities] of unit.slots.entries()) {
      for (let bucket = 0; bucket < (isSegmented ? bucketsPerEntity : 1); bucket++) {
        const offset = (slot * bucketsPerEntity + bucket) * metricCount;
        // Google omits rows without traffic as soon as a query is segmented.
        if (isSegmented && this.#buckets[offset] === 0) continue;
        const device = byDevice ? (devices[Math.floor(bucket / networkNames.length)] ?? null) : null;
        const network = byNetwork ? (networkNames[bucket % networkNames.length] ?? null) : null;
        if (!this.#isSegmentWanted(device, network)) continue;
        const metrics = this.#buckets.slice(offset, offset + metricCount);
        for (const row of this.#split(entities, metrics)) {
          const isShown = row.entity.share || byConversionAction ? row.metrics.some((value) => value !== 0) : true;
          if (isShown && this.#isMetricWanted(row.metrics)) yield { ...row, dayNumber, device, network };
        }
      }
    }
    this.#buckets.fill(0);
  }

  *#split(
    entities: Entity[],
    metrics: Float64Array,
  ): Generator<Pick<Row, 'entity' | 'conversionAction'> & { metrics: Float64Array }> {
    for (const entity of entities) {
      const own = entity.share ? shareOf(metrics, entity.share) : metrics;
      if (!this.#plan.segments.byConversionAction) yield { entity, conversionAction: null, metrics: own };
      else
        for (const [index, conversionAction] of this.#actions.entries())
          yield { entity, conversionAction, metrics: conversionsOf(own, index) };
    }
  }
}
