import { Inject, Injectable } from '@nestjs/common';
import { ProviderBudget } from '../../apps/index.js';
import { Connectors } from '../../catalog/index.js';
import type { ProviderName } from '../../connectors/kit/contract.js';
import type { PreparedEvent } from '../../connectors/kit/conversion.js';
import type { ConversionOutcome, ConversionTarget } from '../../connectors/kit/conversion-target.js';
import type { RecordSample } from '../../connectors/kit/conversion-source.js';
import { withinTime } from '../../connectors/kit/within-time.js';
import { WAITS, type Waits } from '../../core/config/waits.js';
import { type NewEvent, prepareEvent, type Rejected } from '../ledger/prepare-event.js';
import { meets } from '../settings/mapping.js';
import { type ConversionSettings, OpenConversion, prepareRulesOf } from '../settings/open-conversion.js';

const SAMPLED_RECORDS = 100;

/** The newest events of a source, prepared as a run would prepare them. */
export interface Sampled {
  /** Records that were read. */
  records: number;
  /** One for each record that meets the filter, the newest first. */
  events: NewEvent[];
  target: ConversionTarget;
}

/** Reads and validates the newest events of a conversion. Writes nothing, and sends nothing that a platform counts. */
@Injectable()
export class SampledEvents {
  constructor(
    private readonly opener: OpenConversion,
    private readonly connectors: Connectors,
    private readonly budget: ProviderBudget,
    @Inject(WAITS) private readonly waits: Waits,
  ) {}

  async prepare(organizationId: string, conversionId: string, settings: ConversionSettings): Promise<Sampled> {
    const target = await this.opener.openTarget(organizationId, settings);
    const { records } = await this.read(organizationId, settings, SAMPLED_RECORDS);
    const rules = prepareRulesOf(conversionId, settings, target);
    const now = new Date();
    const matching = records.filter((record) => meets(record, settings.filter));
    return { records: records.length, events: matching.map((record) => prepareEvent(record, rules, now)), target };
  }

  async read(
    organizationId: string,
    source: Pick<ConversionSettings, 'sourceAppId' | 'sourceDestinationId' | 'sourceSettings'>,
    limit: number,
  ): Promise<RecordSample> {
    const opened = await this.opener.openSource(organizationId, source);
    const read = (signal: AbortSignal) => opened.sample({ signal, onRequest: () => undefined }, limit);
    return this.withinTime('The source', read).finally(() => opened.close());
  }

  /** One outcome for each event. Throws if the platform did not check all of them. */
  async validate(
    organizationId: string,
    provider: ProviderName,
    validate: NonNullable<ConversionTarget['validate']>,
    events: PreparedEvent[],
  ): Promise<ConversionOutcome[]> {
    const { outcomes, stoppedBy } = await this.withinTime(this.connectors.nameOf(provider), (signal) =>
      validate(this.budget.contextOf(organizationId, provider, signal), events),
    );
    if (stoppedBy) throw stoppedBy;
    return outcomes;
  }

  withinTime<Result>(serviceName: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const limit = { serviceName, milliseconds: this.waits.providerTimeoutMs, action: 'Try again in a few minutes' };
    return withinTime(limit, work);
  }
}

export const preparedOf = ({ result }: NewEvent): PreparedEvent[] =>
  typeof result === 'object' && 'prepared' in result ? [result.prepared] : [];

export const rejectedOf = ({ result }: NewEvent): Rejected[] =>
  typeof result === 'object' && 'rejected' in result ? [result.rejected] : [];

/** The most frequent first. */
export function countBy<Item extends object>(items: Item[], keyOf: (item: Item) => string): (Item & { events: number })[] {
  const groups = new Map<string, Item & { events: number }>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.events += 1;
    else groups.set(keyOf(item), { ...item, events: 1 });
  }
  return [...groups.values()].toSorted((one, other) => other.events - one.events);
}
