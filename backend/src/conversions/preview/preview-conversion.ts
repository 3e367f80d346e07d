import { Inject, Injectable } from '@nestjs/common';
import { accountsColumn, AuthorizedApps, ProviderBudget } from '../../apps/index.js';
import { Connectors } from '../../catalog/index.js';
import type { ConversionTraits } from '../../connectors/kit/conversion-target.js';
import type { SourceRecord } from '../../connectors/kit/conversion-source.js';
import type { PreparedEvent } from '../../connectors/kit/conversion.js';
import { withinTime } from '../../connectors/kit/within-time.js';
import { WAITS, type Waits } from '../../core/config/waits.js';
import { asProblem } from '../../core/http/failures.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { maskPersonalData } from '../../core/http/mask-personal-data.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { ConversionRulesBody, ConversionSourceBody } from '../conversions.dto.js';
import { ConversionsService } from '../conversions.service.js';
import { prepareEvent, type NewEvent } from '../ledger/prepare-event.js';
import { meets } from '../settings/mapping.js';
import { type ConversionSettings, OpenConversion, prepareRulesOf } from '../settings/open-conversion.js';
import type { ConversionTargetChoices, Preview, RecordSample, Validation } from './preview.dto.js';

const PREVIEW_RECORDS = 100;
const SHOWN_EVENTS = 3;
const VALIDATED_EVENTS = 10;
/** Id of a conversion that is not saved yet. */
const UNSAVED = '00000000-0000-7000-8000-000000000000';

/** Shows what a conversion would do before it is saved. Writes nothing, and sends nothing that a platform counts. */
@Injectable()
export class PreviewConversion {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly conversions: ConversionsService,
    private readonly opener: OpenConversion,
    private readonly connectors: Connectors,
    private readonly apps: AuthorizedApps,
    private readonly budget: ProviderBudget,
    @Inject(WAITS) private readonly waits: Waits,
  ) {}

  async listTargets(organizationId: string, appId: string, accountId: string): Promise<ConversionTargetChoices> {
    const app = await this.tenants.of(organizationId).app.findFirst({ where: { id: appId, deletedAt: null } });
    if (!app) throw notFound('The app');
    const connector = this.connectors.getConversionTarget(app.provider);
    const account = accountsColumn.get(app.accounts).find(({ externalId }) => externalId === accountId);
    if (!account) throw notFound('The ad account');
    const items = await this.withinTime(this.connectors.nameOf(app.provider), (signal) =>
      connector.listChoices(
        this.budget.contextOf(organizationId, app.provider, signal),
        this.apps.tokensOf(organizationId, appId),
        account,
      ),
    );
    const first = items.find(({ problem }) => problem === null)?.settings ?? items[0]?.settings ?? {};
    return {
      items: items.slice(0, LIST_LIMITS.conversionTargets).map(({ name, kind, settings, problem }) => ({
        ...{ name, kind, settings, problem },
        ...shownTraits(connector.traits(settings)),
      })),
      ...shownTraits(connector.traits(first)),
    };
  }

  async sample(organizationId: string, body: ConversionSourceBody): Promise<RecordSample> {
    const provider = await this.conversions.assertSource(organizationId, body);
    const { records, fields, hasMore } = await this.read(organizationId, sourceOf(body), LIST_LIMITS.sampleRecords);
    const defaults = provider === 'custom' ? PUSH_FIELDS : this.connectors.getConversionSource(provider).defaultFields;
    const masked = records.map((record) => maskPersonalData(record) as Record<string, unknown>);
    return {
      records: masked,
      fields: fields.slice(0, LIST_LIMITS.recordFields),
      idField: defaults.id,
      timeField: defaults.occurredAt,
      hasMore,
    };
  }

  async preview(organizationId: string, body: ConversionRulesBody): Promise<Preview> {
    const { records, matching, events, target } = await this.prepare(organizationId, body);
    const prepared = events.flatMap(preparedOf);
    const eligible = events.filter((event) => rejectedOf(event).length === 0);
    const request = prepared.length > 0 ? target.buildRequest(prepared.slice(0, SHOWN_EVENTS)) : null;
    return {
      records,
      matching,
      eligible: eligible.length,
      reasons: countBy(events.flatMap(rejectedOf), ({ reason }) => reason),
      notes: countBy(eligible.flatMap(notesOf), ({ code }) => code),
      identifiers: Object.fromEntries(
        countBy(
          eligible.flatMap(({ identifiers }) => identifiers.map((name) => ({ name }))),
          ({ name }) => name,
        ).map(({ name, events: count }) => [name, count]),
      ),
      request: request && (maskPersonalData(request) as Record<string, unknown>),
    };
  }

  /** The platform checks the newest events and counts none of them. */
  async validate(organizationId: string, body: ConversionRulesBody): Promise<Validation> {
    const { events, target, settings } = await this.prepare(organizationId, body);
    if (!target.validate) throw new Problem('request.invalid', 'This platform cannot validate events without counting them.');
    const eligible = events.flatMap(preparedOf).slice(0, Math.min(VALIDATED_EVENTS, target.traits.maxBatchSize));
    if (eligible.length === 0) return { events: 0, accepted: 0, rejections: [] };
    const app = await this.tenants.of(organizationId).app.findFirstOrThrow({ where: { id: settings.targetAppId } });
    const validate = target.validate.bind(target);
    const { outcomes, stoppedBy } = await this.withinTime(this.connectors.nameOf(app.provider), (signal) =>
      validate(this.budget.contextOf(organizationId, app.provider, signal), eligible),
    );
    if (stoppedBy) throw asProblem(stoppedBy);
    const rejections = outcomes.flatMap((outcome) =>
      outcome.state === 'rejected' ? [{ reason: outcome.code, message: outcome.message }] : [],
    );
    return {
      events: eligible.length,
      accepted: eligible.length - rejections.length,
      rejections: countBy(rejections, ({ reason }) => reason),
    };
  }

  private async prepare(organizationId: string, body: ConversionRulesBody) {
    const settings = await this.conversions.readRules(organizationId, body);
    const target = await this.opener.openTarget(organizationId, settings).catch(rethrow);
    const sample = await this.read(organizationId, settings, PREVIEW_RECORDS);
    const matching = sample.records.filter((record) => meets(record, settings.filter));
    const rules = prepareRulesOf(UNSAVED, settings, target);
    const now = new Date();
    const events = matching.map((record: SourceRecord) => prepareEvent(record, rules, now));
    return { records: sample.records.length, matching: matching.length, events, target, settings };
  }

  private async read(
    organizationId: string,
    source: Pick<ConversionSettings, 'sourceAppId' | 'sourceDestinationId' | 'sourceSettings'>,
    limit: number,
  ) {
    try {
      const opened = await this.opener.openSource(organizationId, source);
      const read = (signal: AbortSignal) => opened.sample({ signal, onRequest: () => undefined }, limit);
      return await this.withinTime('The source', read).finally(() => opened.close());
    } catch (error) {
      return rethrow(error);
    }
  }

  private withinTime<Result>(serviceName: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const limit = { serviceName, milliseconds: this.waits.providerTimeoutMs, action: 'Try again in a few minutes' };
    return withinTime(limit, work).catch(rethrow);
  }
}

const shownTraits = ({ adjustments, hasValidateOnly, resend }: ConversionTraits) => ({
  ...{ refunds: adjustments.refunds, hasValidateOnly, removesDuplicates: resend === 'deduplicated' },
});

const PUSH_FIELDS = { id: 'push.id', occurredAt: 'push.receivedAt' };

const sourceOf = ({ appId, destinationId, settings }: ConversionSourceBody) => ({
  sourceAppId: appId ?? null,
  sourceDestinationId: destinationId ?? null,
  sourceSettings: settings,
});

const preparedOf = ({ result }: NewEvent): PreparedEvent[] =>
  typeof result === 'object' && 'prepared' in result ? [result.prepared] : [];

const rejectedOf = ({ result }: NewEvent) => (typeof result === 'object' && 'rejected' in result ? [result.rejected] : []);

/** As in a run, a refund or correction is eligible. Its payload is built when its original was sent. */
const ADJUSTMENT_NOTE = {
  code: 'adjustment',
  message: 'Refunds and corrections are sent after the event that they adjust, with the value that remains.',
};

const notesOf = (event: NewEvent) =>
  event.result === 'adjustment' ? [ADJUSTMENT_NOTE] : preparedOf(event).flatMap(({ notes }) => notes);

function countBy<Item extends object>(items: Item[], keyOf: (item: Item) => string): (Item & { events: number })[] {
  const groups = new Map<string, Item & { events: number }>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.events += 1;
    else groups.set(keyOf(item), { ...item, events: 1 });
  }
  return [...groups.values()].toSorted((one, other) => other.events - one.events);
}

function rethrow(error: unknown): never {
  throw asProblem(error);
}
