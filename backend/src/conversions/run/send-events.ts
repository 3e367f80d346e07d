import { Injectable } from '@nestjs/common';
import type { ConnectorContext } from '../../connectors/kit/contract.js';
import type { PreparedEvent } from '../../connectors/kit/conversion.js';
import type { ConversionTraits, SendResult } from '../../connectors/kit/conversion-target.js';
import { type Claim, ConversionLedger, type DueEvent } from '../ledger/conversion-ledger.js';
import type { OpenedConversion } from '../settings/open-conversion.js';
import { changeOf, type OutcomeRules } from './outcomes.js';
import type { ConversionProgress } from './progress.js';
import { batchSize, storeRequests } from './store-requests.js';
import { untilAnswered } from './until-answered.js';

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
      const { conversionId } = claim;
      const batch = { conversionId, requestId, isAdjustment: false, outcomes, statusAfter: rules.statusAfter, now: rules.now };
      const requestOf = await storeRequests(this.ledger, query, batch);
      const changes = events.map((event, index) => {
        const outcome = outcomes[index] ?? { state: 'not_sent' as const };
        return { ...changeOf(event, outcome, rules), requestId: requestOf(outcome), isUnsent: outcome.state === 'not_sent' };
      });
      await this.ledger.apply(query, conversionId, changes);
    });
  }
}

const toPrepared = ({ dedupeKey, payload, rulesVersion, expiresAt, notes }: DueEvent): PreparedEvent => ({
  ...{ state: 'eligible', id: dedupeKey, payload, rulesVersion, expiresAt, notes },
});
