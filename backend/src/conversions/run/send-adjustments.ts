import { Injectable } from '@nestjs/common';
import type { ConnectorContext } from '../../connectors/kit/contract.js';
import type { PreparedEvent } from '../../connectors/kit/conversion.js';
import type { ConversionTarget, ConversionTraits, SendResult } from '../../connectors/kit/conversion-target.js';
import type { ConversionEventState } from '../../generated/prisma/client.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import { Adjustments, type DueAdjustment } from '../ledger/adjustments.js';
import { type Claim, ConversionLedger, type EventChange } from '../ledger/conversion-ledger.js';
import type { OpenedConversion } from '../settings/open-conversion.js';
import { ADJUSTMENT_TRAITS, changeOf, type OutcomeRules } from './outcomes.js';
import type { ConversionProgress } from './progress.js';
import { batchSize, storeRequests } from './store-requests.js';
import { untilAnswered } from './until-answered.js';

// SQL: many rows in one statement, in the ledger's fenced transaction.

const DAY_MS = 86_400_000;
/** A refund whose order never appears ends after this time. */
const MAX_WAIT_MS = 30 * DAY_MS;
const BATCH = 500;

interface Ready {
  due: DueAdjustment;
  prepared: PreparedEvent;
}

/** Sends refunds and corrections of events that the platform has. */
@Injectable()
export class SendAdjustments {
  constructor(
    private readonly ledger: ConversionLedger,
    private readonly adjustments: Adjustments,
  ) {}

  /** Each round sends the oldest adjustment of each event. */
  async sendAll(
    claim: Claim,
    { target, rules, version }: OpenedConversion,
    context: ConnectorContext,
    progress: ConversionProgress,
  ): Promise<void> {
    const { sendAdjustments } = target;
    if (!target.prepareAdjustment || !sendAdjustments) return this.hold(claim, target, version);
    const { statusPoll } = target.traits;
    for (;;) {
      const due = await this.adjustments.listDue(claim, Math.min(BATCH, target.traits.maxBatchSize), statusPoll !== null);
      if (due.length === 0) break;
      const { ready, changes } = sort(due, target, new Date());
      await this.ledger.change(claim, (query) => this.ledger.apply(query, claim.conversionId, changes), version);
      for (const batch of chunksOf(ready, batchSize(target.traits, ready.length))) {
        context.signal.throwIfAborted();
        const requestId = await this.markSent(claim, batch, version);
        const prepared = batch.map((one) => one.prepared);
        const result = await untilAnswered(context, (late) => sendAdjustments(late, prepared));
        await this.store(claim, requestId, batch, result, { traits: ADJUSTMENT_TRAITS, statusAfter: statusPoll, ...rules() });
        await progress.sent(result.outcomes);
        if (result.stoppedBy) throw result.stoppedBy;
      }
    }
    await this.holdBlocked(claim, version);
  }

  /** Without a time they start no run before the one that asks for the result of their predecessor. */
  private holdBlocked(claim: Claim, version: number): Promise<void> {
    const hold = async (query: TenantQuery) => {
      const blocked = await this.adjustments.listBlocked(query, claim.conversionId);
      const message = 'Waits until the platform has processed an earlier refund of this order.';
      await this.ledger.apply(
        query,
        claim.conversionId,
        blocked.map((id) => ({ id, state: 'queued', code: 'waiting_for_refund', message })),
      );
    };
    return this.ledger.change(claim, hold, version);
  }

  /** Without a time they start no run. They are sent after the conversion is changed to a platform that takes refunds. */
  private hold(claim: Claim, { traits }: ConversionTarget, version: number): Promise<void> {
    const { conversionId } = claim;
    const hold = async (query: TenantQuery) => {
      const waiting = await query<{ id: string }>(
        `select id from conversion_events
          where organization_id = $1 and conversion_id = $2 and adjusts is not null and state = 'retrying'`,
        [conversionId],
      );
      const reason = { code: 'adjustments_unsupported', message: traits.adjustments.refunds };
      await this.ledger.apply(
        query,
        conversionId,
        waiting.map(({ id }) => ({ id, state: 'queued', ...reason })),
      );
    };
    return this.ledger.change(claim, hold, version);
  }

  private markSent(claim: Claim, ready: Ready[], version: number): Promise<string> {
    const { conversionId } = claim;
    const mark = async (query: TenantQuery) => {
      const requestId = await this.ledger.addRequest(query, conversionId, { eventCount: ready.length, isAdjustment: true });
      await this.ledger.markSent(
        query,
        conversionId,
        requestId,
        ready.map(({ due }) => due),
      );
      await query(
        `update conversion_events e set payload = i.payload, rules_version = i.rules_version
           from jsonb_to_recordset($2::jsonb) as i(id uuid, payload jsonb, rules_version text)
          where e.organization_id = $1 and e.id = i.id`,
        [
          JSON.stringify(
            ready.map(({ due, prepared }) => ({ id: due.id, payload: prepared.payload, rules_version: prepared.rulesVersion })),
          ),
        ],
      );
      return requestId;
    };
    return this.ledger.change(claim, mark, version);
  }

  private async store(
    claim: Claim,
    requestId: string,
    ready: Ready[],
    { outcomes }: SendResult,
    rules: OutcomeRules & { statusAfter: ConversionTraits['statusPoll'] },
  ): Promise<void> {
    const { conversionId } = claim;
    await this.ledger.change(claim, async (query) => {
      const batch = { conversionId, requestId, isAdjustment: true, outcomes, statusAfter: rules.statusAfter, now: rules.now };
      const requestOf = await storeRequests(this.ledger, query, batch);
      const changes = ready.map(({ due, prepared }, index): EventChange => {
        const outcome = outcomes[index] ?? { state: 'not_sent' };
        const change = changeOf({ ...due, notes: prepared.notes }, outcome, rules);
        return { ...change, requestId: requestOf(outcome), isUnsent: outcome.state === 'not_sent' };
      });
      const taken = changes.filter(({ state, isFinal }) => state === 'accepted' && isFinal).map(({ id }) => id);
      const originals = await this.adjustments.listOriginals(query, conversionId, taken);
      await this.ledger.apply(query, conversionId, [...changes, ...originals.map((id) => ({ id, state: 'adjusted' as const }))]);
    });
  }
}

/** States of an event that the platform will never have. */
const NEVER_SENT: ReadonlySet<ConversionEventState> = new Set(['ineligible', 'rejected', 'dead', 'expired', 'unmatched']);

/** States of an event that may still be sent, to whatever the conversion sends to then. */
const WAITING: ReadonlySet<ConversionEventState> = new Set(['queued', 'retrying']);

function sort(due: DueAdjustment[], target: ConversionTarget, now: Date): { ready: Ready[]; changes: EventChange[] } {
  const ready: Ready[] = [];
  const changes: EventChange[] = [];
  for (const one of due) {
    const step = stepOf(one, target, now);
    if ('prepared' in step) ready.push({ due: one, prepared: step.prepared });
    else changes.push(step);
  }
  return { ready, changes };
}

function stepOf(due: DueAdjustment, target: ConversionTarget, now: Date): { prepared: PreparedEvent } | EventChange {
  const { id, original, adjustment, problem } = due;
  if (original?.state === 'dead' && original.attempts > 0)
    return {
      id,
      state: 'ineligible',
      code: 'original_unknown',
      message: 'The order of this refund was given up after it was sent. The platform may or may not have it.',
    };
  if (original && NEVER_SENT.has(original.state))
    return {
      id,
      state: 'ineligible',
      code: 'original_not_sent',
      message: 'The platform does not have the order of this refund.',
    };
  if (problem) return { id, state: 'ineligible', ...problem };
  if (!original || !adjustment || WAITING.has(original.state)) return wait(due, now);
  if (original.targetKey !== null && original.targetKey !== target.key)
    return {
      id,
      state: 'ineligible',
      code: 'target_changed',
      message: 'The order of this refund was sent to another conversion action or goal, before the conversion was changed.',
    };
  if (!isDecided(original.state, target)) return wait(due, now);
  const preparation = target.prepareAdjustment?.(adjustment, now);
  if (preparation?.state === 'ineligible' && preparation.reason === 'in_future')
    return {
      ...{ id, state: 'retrying', code: preparation.reason, message: preparation.message },
      // Until then, its order may become too old.
      nextAttemptAt: new Date(Math.min(adjustment.occurredAt.getTime(), now.getTime() + DAY_MS)),
    };
  if (preparation?.state !== 'eligible')
    return { id, state: 'ineligible', code: preparation?.reason ?? null, message: preparation?.message ?? null };
  return { prepared: preparation };
}

/** A platform that decides later would take an early adjustment for a new event. */
const isDecided = (state: ConversionEventState, { traits }: ConversionTarget): boolean =>
  state === 'processed' || state === 'adjusted' || (state === 'accepted' && !traits.statusPoll);

/** It is due at once when its order has arrived and was decided. */
function wait({ id, receivedAt, original }: DueAdjustment, now: Date): EventChange {
  const message = original ? 'Waits until the platform has the order of this refund.' : 'Waits for the order of this refund.';
  // An order that has arrived ends the wait itself: it is decided, or expires.
  if (!original && now.getTime() - receivedAt.getTime() > MAX_WAIT_MS)
    return { id, state: 'dead', code: 'original_missing', message: 'The order of this refund did not appear within 30 days.' };
  return { id, state: 'retrying', code: 'waiting_for_original', message, nextAttemptAt: new Date(now.getTime() + DAY_MS) };
}

const chunksOf = <Item>(items: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
