import { IsIn, IsOptional, IsString, IsUUID, Length, ArrayMaxSize, IsArray, ArrayMinSize } from 'class-validator';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';
import { PageQuery } from '../../core/http/page.dto.js';
import { ConversionEventState } from '../../generated/prisma/enums.js';
import { ConversionCounts } from '../conversions.dto.js';

export const eventStates = Object.values(ConversionEventState);

export class ConversionEventsQuery extends PageQuery {
  /** Only events in this state. */
  @MayBeMissing()
  @IsIn(eventStates)
  state?: ConversionEventState;

  /** Order id, click id or event id, complete. */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  search?: string;
}

export class OrderSearchQuery {
  /** Order id, click id or event id, complete. */
  @IsString()
  @Length(1, 200)
  search: string;
}

export class EventNote {
  code: string;
  message: string;
}

export class ConversionEventEntry {
  id: string;
  conversionId: string;
  /** Id of the event in its source; a hash if it could be personal data. */
  dedupeKey: string;
  /** Id of the event that this refund or correction changes; null: it is an event itself. */
  adjusts: string | null;
  state: ConversionEventState;
  /** Reason of the state; null: none. */
  code: string | null;
  message: string | null;
  /** Null: not readable. */
  occurredAt: string | null;
  receivedAt: string;
  orderId: string | null;
  clickId: string | null;
  /** Decimal number in currency units; null: none. */
  value: string | null;
  currency: string | null;
  /** Names of the identifiers in it; never their values. */
  identifiers: string[];
  attempts: number;
  nextAttemptAt: string | null;
  sentAt: string | null;
}

export class ConversionEventPage {
  items: ConversionEventEntry[];
  nextCursor: string | null;
}

export class EventStep {
  at: string;
  state: ConversionEventState;
  code?: string;
  requestId?: string;
}

/** A request to the platform that contained the event. */
export class EventRequest {
  id: string;
  state: string;
  sentAt: string;
  answeredAt: string | null;
  /** The platform's id. */
  providerRequestId: string | null;
  /** Events in it. */
  eventCount: number;
  /** When the platform is asked for its decision. */
  nextStatusAt: string | null;
  /** The later decision as counts; null: none, or known for each event. */
  counts: object[] | null;
}

export class ConversionEventDetail extends ConversionEventEntry {
  conversionName: string;
  /** As it was sent, with hashed identifiers; without IP address, browser, page and plain external id. */
  payload: Record<string, unknown> | null;
  /** Rules by which the identifiers were normalized and hashed. */
  rulesVersion: string | null;
  notes: EventNote[];
  history: EventStep[];
  requests: EventRequest[];
  /** Refunds and corrections of the event. */
  adjustments: ConversionEventEntry[];
}

export class OrderSearch {
  /** Events of all conversions with this id, with their whole history. At most 20. */
  items: ConversionEventDetail[];
}

export class ReplayBody {
  /** Events to send again. Only events that the platform does not have can be replayed. */
  @MayBeMissing()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @IsUUID(undefined, { each: true })
  eventIds?: string[];

  /** All events in this state, instead of a list. */
  @MayBeMissing()
  @IsIn(['rejected', 'dead'])
  state?: 'rejected' | 'dead';
}

export class Replayed {
  /** Events that are sent again. */
  events: number;
}

export class ConversionDay extends ConversionCounts {
  /** Day of arrival, UTC. */
  day: string;
}

export class FunnelReason {
  code: string;
  message: string | null;
  state: ConversionEventState;
  events: number;
}

export class ConversionFunnel {
  /** Of the last 30 days. */
  total: ConversionCounts;
  /** Days with events, oldest first. */
  days: ConversionDay[];
  /** Why events were not sent or not counted, the most frequent first. */
  reasons: FunnelReason[];
}
