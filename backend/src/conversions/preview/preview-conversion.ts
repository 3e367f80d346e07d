import { Injectable } from '@nestjs/common';
import { accountsColumn, AuthorizedApps, ProviderBudget } from '../../apps/index.js';
import { Connectors } from '../../catalog/index.js';
import type { ConversionTraits } from '../../connectors/kit/conversion-target.js';
import { asProblem } from '../../core/http/failures.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { maskPersonalData } from '../../core/http/mask-personal-data.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { ConversionRulesBody, ConversionSourceBody } from '../conversions.dto.js';
import { ConversionsService } from '../conversions.service.js';
import type { NewEvent } from '../ledger/prepare-event.js';
import type { ConversionTargetChoices, Preview, RecordSample, Validation } from './preview.dto.js';
import { countBy, preparedOf, rejectedOf, SampledEvents } from './sampled-events.js';

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
    private readonly sampled: SampledEvents,
    private readonly connectors: Connectors,
    private readonly apps: AuthorizedApps,
    private readonly budget: ProviderBudget,
  ) {}

  async listTargets(organizationId: string, appId: string, accountId: string): Promise<ConversionTargetChoices> {
    const app = await this.tenants.of(organizationId).app.findFirst({ where: { id: appId, deletedAt: null } });
    if (!app) throw notFound('The app');
    const connector = this.connectors.getConversionTarget(app.provider);
    const account = accountsColumn.get(app.accounts).find(({ externalId }) => externalId === accountId);
    if (!account) throw notFound('The ad account');
    const items = await this.sampled
      .withinTime(this.connectors.nameOf(app.provider), (signal) =>
        connector.listChoices(
          this.budget.contextOf(organizationId, app.provider, signal),
          this.apps.tokensOf(organizationId, appId),
          account,
        ),
      )
      .catch(rethrow);
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
    const { records, fields, hasMore } = await this.sampled
      .read(organizationId, sourceOf(body), LIST_LIMITS.sampleRecords)
      .catch(rethrow);
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
    const { records, events, target } = await this.prepare(organizationId, body);
    const prepared = events.flatMap(preparedOf);
    const eligible = events.filter((event) => rejectedOf(event).length === 0);
    const isTaken = (name: string) => target.traits.identifiers.some((one) => one === name);
    const request = prepared.length > 0 ? target.buildRequest(prepared.slice(0, SHOWN_EVENTS)) : null;
    return {
      records,
      matching: events.length,
      eligible: eligible.length,
      reasons: countBy(events.flatMap(rejectedOf), ({ reason }) => reason),
      notes: countBy(eligible.flatMap(notesOf), ({ code }) => code),
      identifiers: Object.fromEntries(
        countBy(
          eligible.flatMap(({ identifiers }) => identifiers.filter(isTaken).map((name) => ({ name }))),
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
    const { provider } = await this.tenants.of(organizationId).app.findFirstOrThrow({ where: { id: settings.targetAppId } });
    const outcomes = await this.sampled.validate(organizationId, provider, target.validate.bind(target), eligible).catch(rethrow);
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
    return { ...(await this.sampled.prepare(organizationId, UNSAVED, settings).catch(rethrow)), settings };
  }
}

const shownTraits = ({ adjustments, hasValidateOnly, resend, identifiers }: ConversionTraits) => ({
  ...{ refunds: adjustments.refunds, hasValidateOnly, removesDuplicates: resend === 'deduplicated' },
  identifiers: [...identifiers],
});

const PUSH_FIELDS = { id: 'push.id', occurredAt: 'push.receivedAt' };

const sourceOf = ({ appId, destinationId, settings }: ConversionSourceBody) => ({
  sourceAppId: appId ?? null,
  sourceDestinationId: destinationId ?? null,
  sourceSettings: settings,
});

/** As in a run, a refund or correction is eligible. Its payload is built when its original was sent. */
const ADJUSTMENT_NOTE = {
  code: 'adjustment',
  message: 'Refunds and corrections are sent after the event that they adjust, with the value that remains.',
};

const notesOf = (event: NewEvent) =>
  event.result === 'adjustment' ? [ADJUSTMENT_NOTE] : preparedOf(event).flatMap(({ notes }) => notes);

function rethrow(error: unknown): never {
  throw asProblem(error);
}
