import { Injectable } from '@nestjs/common';
import type { ConnectorContext } from '../../connectors/kit/contract.js';
import type { ConversionTarget, OutcomeCount, RequestStatus } from '../../connectors/kit/conversion-target.js';
import { ASK_OPERATOR } from '../../connectors/kit/error-table.js';
import { ConnectorError, FixSettings } from '../../connectors/kit/errors.js';
import type { Note } from '../../connectors/kit/conversion.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import { Adjustments } from '../ledger/adjustments.js';
import { type Claim, ConversionLedger, type EventChange } from '../ledger/conversion-ledger.js';
import type { OpenedConversion } from '../settings/open-conversion.js';
import { decidedChange } from './outcomes.js';

// SQL: in the ledger's fenced transaction, by the clock of the database.

const DAY_MS = 86_400_000;
const LONGEST_WAIT_MS = 6 * 3_600_000;
/** Requests of one run. The others follow in the next one. */
const MAX_REQUESTS = 500;

interface OpenRequest {
  id: string;
  providerRequestId: string;
  sentAt: Date;
  statusPolls: number;
}

type RequestEvent = { id: string; attempts: number; notes: Note[]; isAdjustment: boolean };

/** Asks a platform for its later decision about requests that it accepted. */
@Injectable()
export class PollRequests {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly ledger: ConversionLedger,
    private readonly adjustments: Adjustments,
  ) {}

  async pollAll(claim: Claim, opened: OpenedConversion, context: ConnectorContext): Promise<void> {
    const { target } = opened;
    const canAsk = Boolean(target.status && target.traits.statusPoll);
    const due = await this.tenants.of(claim.organizationId).conversionRequest.findMany({
      // Requests of an earlier target stay open if this one cannot be asked. Each would start the next run at once.
      where: { conversionId: claim.conversionId, nextStatusAt: canAsk ? { lte: new Date() } : { not: null } },
      orderBy: { nextStatusAt: 'asc' },
      take: MAX_REQUESTS,
      select: { id: true, providerRequestId: true, sentAt: true, statusPolls: true },
    });
    for (const { providerRequestId, ...rest } of due) {
      if (providerRequestId === null) continue;
      const request = { ...rest, providerRequestId };
      context.signal.throwIfAborted();
      const status = canAsk ? await this.ask(target, context, request) : 'not_asked';
      await this.ledger.change(claim, (query) => this.store(query, claim, opened, request, status), opened.version);
    }
  }

  /** `lost`: the platform will never report it. */
  private async ask(target: ConversionTarget, context: ConnectorContext, request: OpenRequest): Promise<RequestStatus | 'lost'> {
    try {
      const status = (await target.status?.(context, request.providerRequestId)) ?? { state: 'processing' };
      return status.state === 'processing' && isTooLate(target, request) ? 'lost' : status;
    } catch (error) {
      if (!(error instanceof ConnectorError) || isOfAllRequests(error)) throw error;
      if (isTooLate(target, request) || error.code.endsWith('invalid_request_id')) return 'lost';
      // For example, the account of an earlier target that the app cannot read. Access may come back, and other requests are not affected.
      if (error instanceof FixSettings) return { state: 'processing' };
      throw error;
    }
  }

  private async store(
    query: TenantQuery,
    { conversionId }: Claim,
    { target, rules }: OpenedConversion,
    request: OpenRequest,
    status: RequestStatus | 'lost' | 'not_asked',
  ): Promise<void> {
    const decision = typeof status === 'string' ? null : status;
    if (decision?.state === 'processing') return postpone(query, target, request);
    const events = await query<RequestEvent>(
      `select id, attempts, notes, adjusts is not null as "isAdjustment" from conversion_events
        where organization_id = $1 and request_id = $2 and state = 'accepted'`,
      [request.id],
    );
    const outcomeRules = { traits: target.traits, ...rules() };
    const change = (event: RequestEvent): EventChange => {
      if (status === 'lost') return { id: event.id, state: 'dead', ...LOST };
      if (status === 'not_asked') return { id: event.id, state: 'accepted', ...NOT_ASKED, isFinal: true };
      if (status.state === 'done') return decidedChange(event, status.outcome, outcomeRules);
      return { id: event.id, state: 'accepted', ...PARTLY, requestId: request.id, isFinal: true };
    };
    const changes = events.map(change);
    const processed = events.filter(({ isAdjustment }, index) => isAdjustment && changes[index]?.state === 'processed');
    const originals = await this.adjustments.listOriginals(
      query,
      conversionId,
      processed.map(({ id }) => id),
    );
    await this.ledger.apply(query, conversionId, [...changes, ...originals.map((id) => ({ id, state: 'adjusted' as const }))]);
    const counts = decision ? (decision.counts?.map(toStoredCount) ?? null) : null;
    await query(
      `update conversion_requests set state = $3::conversion_request_state, next_status_at = null, counts = $4::jsonb,
              status_polls = status_polls + 1, answered_at = now()
        where organization_id = $1 and id = $2`,
      [request.id, stateOf(decision), counts && JSON.stringify(counts)],
    );
  }
}

const stateOf = (decision: RequestStatus | null): string =>
  decision === null ? 'unknown' : decision.state === 'partly_done' ? 'partly_processed' : 'processed';

const toStoredCount = ({ outcome, events }: OutcomeCount) => ({
  state: outcome.state,
  code: 'code' in outcome ? outcome.code : null,
  message: 'message' in outcome ? outcome.message : null,
  events,
});

const LOST = {
  code: 'conversions.result_unknown',
  message: 'The platform accepted the event, but never reported whether it counts.',
};

const NOT_ASKED = {
  code: 'conversions.result_unknown',
  message: 'The platform accepted the event. Then the conversion was changed, so whether it counts is not known.',
};

const PARTLY = {
  code: 'conversions.partly_processed',
  message: 'The platform counted only some events of this request, and does not say which ones.',
};

/** A lost sign-in, a used-up quota, or a refusal of the whole installation. It says nothing about one request. */
const isOfAllRequests = ({ failureClass, action }: ConnectorError): boolean =>
  failureClass === 'auth' || failureClass === 'quota' || action === ASK_OPERATOR;

function isTooLate({ traits }: ConversionTarget, { sentAt }: OpenRequest): boolean {
  return Date.now() - sentAt.getTime() > (traits.statusPoll?.giveUpAfterDays ?? 0) * DAY_MS;
}

async function postpone(query: TenantQuery, { traits }: ConversionTarget, { id, statusPolls }: OpenRequest): Promise<void> {
  const firstMs = (traits.statusPoll?.firstAfterSeconds ?? 0) * 1_000;
  const waitMs = Math.min(LONGEST_WAIT_MS, firstMs * 2 ** statusPolls);
  await query(
    `update conversion_requests set next_status_at = now() + make_interval(secs => $3), status_polls = status_polls + 1
      where organization_id = $1 and id = $2`,
    [id, waitMs / 1_000],
  );
}
