import { Injectable } from '@nestjs/common';
import type { ConnectorContext } from '../../connectors/kit/contract.js';
import type { PreparedEvent } from '../../connectors/kit/conversion.js';
import type { ConversionOutcome, ConversionTraits, SendResult } from '../../connectors/kit/conversion-target.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import { type Claim, ConversionLedger, type DueEvent } from '../ledger/conversion-ledger.js';
import type { OpenedConversion } from '../settings/open-conversion.js';
import { changeOf, type OutcomeRules } from './outcomes.js';
import type { ConversionProgress } from './progress.js';
import { untilAnswered } from './until-answered.js';

// SQL: in the ledger's fenced transaction.

/**
 * Up to this many events are sent one by one to a platform that reports its later decision only for a whole request. Their
 * outcomes are then exact. Google allows 300 requests a minute for the whole installation.
 */
export const EXACT_EVENTS = 100;

/** Sends the events that are due. Each batch is stored as sent before it leaves, and with its outcomes after the answer. */
@Injectable()
export class SendEvents {
  constructor(private readonly ledger: ConversionLedger) {}

  /** Throws the error that stopped a batch, after its outcomes are stored. */
  async sendAll(
    claim: Claim,
    { target, rules, version }: OpenedConversion,
    context: ConnectorContext,
    progress: ConversionProgress,
  ): Promise<void> {
    await this.ledger.expire(claim);
    const size = batchSize(target.traits, await this.ledger.countDue(claim));
    for (;;) {
      context.signal.throwIfAborted();
      const batch = await this.ledger.takeBatch(claim, size, { version, target });
      if (!batch) return;
      const result = await untilAnswered(context, (late) => target.send(late, batch.events.map(toPrepared)));
      await this.store(claim, batch, result, { traits: target.traits, statusAfter: target.traits.statusPoll, ...rules() });
      await progress.sent(result.outcomes);
      if (result.stoppedBy) throw result.stoppedBy;
    }
  }

  private async store(
    claim: Claim,
    { requestId, events }: { requestId: string; events: DueEvent[] },
    { outcomes }: SendResult,
    rules: OutcomeRules & { statusAfter: ConversionTraits['statusPoll'] },
  ): Promise<void> {
    await this.ledger.change(claim, async (query) => {
      const requestOf = await this.storeRequests(query, claim, requestId, outcomes, rules);
      const changes = events.map((event, index) => {
        const outcome = outcomes[index] ?? { state: 'not_sent' as const };
        return { ...changeOf(event, outcome, rules), requestId: requestOf(outcome), isUnsent: outcome.state === 'not_sent' };
      });
      await this.ledger.apply(query, claim.conversionId, changes);
    });
  }

  /** A batch may have been split: each id of the platform becomes a request. Returns the request of an outcome. */
  private async storeRequests(
    query: TenantQuery,
    { conversionId }: Claim,
    requestId: string,
    outcomes: ConversionOutcome[],
    { statusAfter, now }: OutcomeRules & { statusAfter: ConversionTraits['statusPoll'] },
  ): Promise<(outcome: ConversionOutcome) => string> {
    const nextStatusAt = statusAfter && new Date(now.getTime() + statusAfter.firstAfterSeconds * 1_000);
    const ids = new Map<string, string>();
    for (const providerId of new Set(outcomes.flatMap((outcome) => providerIdOf(outcome) ?? []))) {
      const own = outcomes.filter((outcome) => providerIdOf(outcome) === providerId);
      const id =
        ids.size === 0
          ? requestId
          : await this.ledger.addRequest(query, conversionId, { eventCount: own.length, isAdjustment: false });
      ids.set(providerId, id);
      const isPending = own.some(({ state }) => state === 'pending');
      await query(
        `update conversion_requests set state = $3::conversion_request_state, provider_request_id = $4, event_count = $5,
                next_status_at = $6, answered_at = now() where organization_id = $1 and id = $2`,
        [id, isPending ? 'processing' : 'answered', providerId, own.length, isPending ? nextStatusAt : null],
      );
    }
    if (ids.size === 0) {
      const isUnknown = outcomes.some(({ state }) => state === 'unknown');
      await query(
        `update conversion_requests set state = $3::conversion_request_state, answered_at = case when $4 then null else now() end
          where organization_id = $1 and id = $2`,
        [requestId, isUnknown ? 'unknown' : 'answered', isUnknown],
      );
    }
    return (outcome) => ids.get(providerIdOf(outcome) ?? '') ?? requestId;
  }
}

const providerIdOf = (outcome: ConversionOutcome): string | null =>
  outcome.state === 'accepted' || outcome.state === 'pending' ? outcome.requestId : null;

function batchSize({ exactness, maxBatchSize }: ConversionTraits, due: number): number {
  return exactness.processing === 'request' && due <= EXACT_EVENTS ? 1 : maxBatchSize;
}

const toPrepared = ({ dedupeKey, payload, rulesVersion, expiresAt, notes }: DueEvent): PreparedEvent => ({
  ...{ state: 'eligible', id: dedupeKey, payload, rulesVersion, expiresAt, notes },
});
