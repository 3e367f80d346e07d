import { Injectable } from '@nestjs/common';
import { type Actor } from '../../access/index.js';
import { AuthorizedApps } from '../../apps/index.js';
import { AuditService } from '../../audit/index.js';
import { Connectors } from '../../catalog/index.js';
import type { PreparedEvent } from '../../connectors/kit/conversion.js';
import type { ConversionOutcome, ConversionTarget } from '../../connectors/kit/conversion-target.js';
import { ConnectorError, ReconnectNeeded, RetryLater } from '../../connectors/kit/errors.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { asProblem } from '../../core/http/failures.js';
import { maskPersonalText } from '../../core/http/mask-personal-data.js';
import { notFound, Problem } from '../../core/http/problem.js';
import type { App, Conversion } from '../../generated/prisma/client.js';
import type { NewEvent } from '../ledger/prepare-event.js';
import { OpenConversion, readSettings } from '../settings/open-conversion.js';
import { PreviewConversion } from './preview-conversion.js';
import type { ConversionTest, ConversionTestEvent } from './preview.dto.js';
import { countBy, preparedOf, rejectedOf, type Sampled, SampledEvents } from './sampled-events.js';

const TESTED_EVENTS = 5;

interface Eligible {
  event: NewEvent;
  prepared: PreparedEvent;
}

/** Tests a saved conversion with its newest events. The ledger stays as it is, and the platform counts nothing. */
@Injectable()
export class TestConversion {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly sampled: SampledEvents,
    private readonly previews: PreviewConversion,
    private readonly opener: OpenConversion,
    private readonly connectors: Connectors,
    private readonly apps: AuthorizedApps,
    private readonly audit: AuditService,
  ) {}

  /** Also while it is paused, and with events from before its start, so that it can be tested before its first run. */
  async test(actor: Actor, conversionId: string): Promise<ConversionTest> {
    const conversion = await this.tenants
      .of(actor.organizationId)
      .conversion.findFirst({ where: { id: conversionId, deletedAt: null }, include: { targetApp: true } });
    if (!conversion) throw notFound('The conversion');
    const { targetApp: app, name } = conversion;
    const sampled = await this.sampled.prepare(actor.organizationId, conversionId, readSettings(conversion)).catch(rethrow);
    const eligible = eligibleOf(sampled);
    const result = await this.check(conversion, app, sampled.target, eligible).catch((error: unknown) => this.fail(app, error));
    await this.audit.record(actor, { action: 'conversion.tested', target: { type: 'conversion', id: conversionId, name } });
    return result;
  }

  private async check(
    conversion: Conversion,
    { provider }: App,
    target: ConversionTarget,
    eligible: Eligible[],
  ): Promise<ConversionTest> {
    if (!target.validate) {
      await this.assertTarget(conversion, target.key);
      const results = eligible.map(({ event }) => ({ ...shown(event), state: 'checked' as const, code: null, message: null }));
      return { isValidated: false, events: results.length, accepted: 0, rejections: [], results };
    }
    const events = eligible.map(({ prepared }) => prepared);
    const outcomes = await this.sampled.validate(conversion.organizationId, provider, target.validate.bind(target), events);
    const results = eligible.map(({ event }, index) => resultOf(event, outcomes[index]));
    const rejected = results.flatMap(({ state, code, message }) =>
      state === 'rejected' ? [{ reason: code ?? '', message: message ?? '' }] : [],
    );
    return {
      ...{ isValidated: true, events: results.length, accepted: results.length - rejected.length },
      rejections: countBy(rejected, ({ reason }) => reason),
      results,
    };
  }

  /** Asks the platform whether the conversion action, dataset or goal is still there and takes events. */
  private async assertTarget(conversion: Conversion, key: string): Promise<void> {
    const { organizationId, targetAppId, targetAccountId, targetName } = conversion;
    const { items } = await this.previews.listTargets(organizationId, targetAppId, targetAccountId);
    const settings = readSettings(conversion);
    for (const choice of items) {
      const opened = await this.opener.openTarget(organizationId, { ...settings, targetSettings: choice.settings });
      if (opened.key !== key) continue;
      if (choice.problem) throw targetGone(choice.problem);
      return;
    }
    throw targetGone(`The platform no longer lists ${targetName} in the ad account ${targetAccountId}.`);
  }

  /** An app without access is marked as in a run, so that every page shows it. */
  private async fail(app: App, error: unknown): Promise<never> {
    const cause = error instanceof Problem ? error.cause : error;
    if (cause instanceof ReconnectNeeded && !cause.isUnsure) await this.apps.markNeedsReauth(app, cause);
    return rethrow(cause instanceof ConnectorError ? cause : error);
  }
}

/** The newest events that can be sent. */
function eligibleOf({ records, events }: Sampled): Eligible[] {
  const eligible = events.flatMap((event) => preparedOf(event).map((prepared) => ({ event, prepared })));
  if (eligible.length > 0) return eligible.slice(0, TESTED_EVENTS);
  const [reason] = countBy(events.flatMap(rejectedOf), (rejected) => rejected.reason);
  if (reason)
    throw new Problem('conversion.no_test_event', {
      detail: `None of the newest events can be sent. ${reason.message}`,
      action: 'Check the mapping',
    });
  throw new Problem('conversion.no_test_event', {
    ...(records === 0
      ? { detail: 'The source has no event yet.', action: 'Send an event to the source first' }
      : { detail: 'The newest records contain no event that meets the filter.', action: 'Check the filter' }),
  });
}

const shown = ({ dedupeKey, occurredAt }: NewEvent) => ({ dedupeKey, occurredAt: occurredAt?.toISOString() ?? null });

/** An event whose click or person the platform does not find is valid. */
function resultOf(event: NewEvent, outcome: ConversionOutcome | undefined): ConversionTestEvent {
  const said = (state: 'accepted' | 'rejected', code: string | null, message: string | null): ConversionTestEvent => ({
    ...{ ...shown(event), state, code, message: message && maskPersonalText(message) },
  });
  if (!outcome || outcome.state === 'not_sent') return said('rejected', 'conversions.no_outcome', NO_OUTCOME);
  if (outcome.state === 'rejected' || outcome.state === 'unknown') return said('rejected', outcome.code, outcome.message);
  if (outcome.state === 'unmatched') return said('accepted', outcome.code, outcome.message);
  const notes = outcome.notes.map(({ message }) => message).join(' ');
  return said('accepted', outcome.notes[0]?.code ?? null, notes || null);
}

const NO_OUTCOME = 'The platform answered, but not about this event.';

const targetGone = (detail: string): Problem =>
  new Problem('conversion.target_gone', { detail, action: 'Choose another in the settings of the conversion' });

/** A run is retried automatically, a test is not. */
function rethrow(error: unknown): never {
  const problem = asProblem(error);
  if (!(error instanceof RetryLater && problem instanceof Problem)) throw problem;
  throw new Problem(problem.code, { ...problem.problem, action: 'Try again in a few minutes' }, { cause: error });
}
