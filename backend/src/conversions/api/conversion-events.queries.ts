import { Injectable } from '@nestjs/common';
import { Connectors } from '../../catalog/index.js';
import { IdCursor } from '../../core/database/cursor.js';
import { firstIdOf } from '../../core/database/identifiers.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { notFound } from '../../core/http/problem.js';
import type { ConversionEventState } from '../../generated/prisma/client.js';
import { type ConversionCounts } from '../conversions.dto.js';
import { countsOf, reportsResultsOf } from '../conversions.queries.js';
import type {
  ConversionDay,
  ConversionEventDetail,
  ConversionEventEntry,
  ConversionEventPage,
  ConversionEventsQuery,
  ConversionFunnel,
  EventRequest,
  OrderSearch,
} from './conversion-events.dto.js';

// SQL: pages that continue after an id, a search in several columns, and counts by state.

type Dated<Entry, Dates extends keyof Entry> = Omit<Entry, Dates> & { [Key in Dates]: Date | Extract<Entry[Key], null> };
type EventDates = 'occurredAt' | 'receivedAt' | 'nextAttemptAt' | 'sentAt';
type EventRow = Dated<ConversionEventEntry, EventDates>;
type DetailRow = EventRow & Pick<ConversionEventDetail, 'conversionName' | 'payload' | 'rulesVersion' | 'notes' | 'history'>;
type RequestRow = Dated<EventRequest, 'sentAt' | 'answeredAt' | 'nextStatusAt'>;

const COLUMNS = `
  e.id, e.conversion_id as "conversionId", e.dedupe_key as "dedupeKey", e.adjusts, e.state, e.code, e.message,
  e.occurred_at as "occurredAt", e.received_at as "receivedAt", e.order_id as "orderId", e.click_id as "clickId",
  trim_scale(e.value)::text as value, e.currency, e.identifiers, e.attempts, e.next_attempt_at as "nextAttemptAt",
  e.sent_at as "sentAt"`;
const DETAIL = `
  select ${COLUMNS}, c.name as "conversionName", e.payload, e.rules_version as "rulesVersion", e.notes, e.history
    from conversion_events e
    join conversions c on c.organization_id = e.organization_id and c.id = e.conversion_id and c.deleted_at is null
   where e.organization_id = $1`;
const CURSOR = new IdCursor('conversion-events');
const FUNNEL_DAYS = 30;
const DAY_MS = 86_400_000;

/** Events of a conversion with an order id, click id or event id `$6`. Each condition has its own index. */
const FOUND = `
  and e.id in (
    select id from conversion_events where organization_id = $1 and conversion_id = $2 and dedupe_key = $6
    union select id from conversion_events where organization_id = $1 and conversion_id = $2 and adjusts = $6
    union select id from conversion_events where organization_id = $1 and order_id = $6
    union select id from conversion_events where organization_id = $1 and click_id = $6)`;

/** A page of events: conversion, last id of the page before, state, limit, and the text of a search. */
export const eventsSql = (isSearch: boolean): string => `
  select ${COLUMNS} from conversion_events e
   where e.organization_id = $1 and e.conversion_id = $2 and ($3::uuid is null or e.id < $3)
     and ($4::conversion_event_state is null or e.state = $4) ${isSearch ? FOUND : ''}
   order by e.id desc limit $5`;

/** Reasons of a conversion's events since an id. Only ids have an index; the day makes them agree with the counts. */
export const reasonsSql = `
  select code, max(message) as message, state, count(*)::int as events from conversion_events
   where organization_id = $1 and conversion_id = $2 and id >= $3 and code is not null
     and received_on > (now() at time zone 'UTC')::date - ${FUNNEL_DAYS}
   group by code, state order by events desc limit ${LIST_LIMITS.eventReasons}`;

/** Reads the ledger of conversions. */
@Injectable()
export class ConversionEventsQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
  ) {}

  /** Newest first. */
  async listEvents(
    organizationId: string,
    conversionId: string,
    { cursor, limit, state, search }: ConversionEventsQuery,
  ): Promise<ConversionEventPage> {
    await this.assertConversion(organizationId, conversionId);
    const isSearch = search !== undefined;
    const rows = await this.tenants.query<EventRow>(organizationId, eventsSql(isSearch), [
      ...[conversionId, CURSOR.after(cursor), state ?? null, limit + 1],
      ...(isSearch ? [search.trim()] : []),
    ]);
    return CURSOR.toPage(rows.map(toEntry), limit, ({ id }) => [id]);
  }

  async getEvent(organizationId: string, conversionId: string, eventId: string): Promise<ConversionEventDetail> {
    const [row] = await this.tenants.query<DetailRow>(organizationId, `${DETAIL} and e.conversion_id = $2 and e.id = $3`, [
      conversionId,
      eventId,
    ]);
    if (!row) throw notFound('The event');
    return this.toDetail(organizationId, row);
  }

  /** The whole life of an order, over all conversions. Each condition has its own index. */
  async searchOrders(organizationId: string, search: string): Promise<OrderSearch> {
    const rows = await this.tenants.query<DetailRow>(
      organizationId,
      `${DETAIL} and e.id in (
         select id from conversion_events where organization_id = $1 and order_id = $2
         union select id from conversion_events where organization_id = $1 and click_id = $2
         union select k.id from conversions c join conversion_events k on k.organization_id = c.organization_id
                    and k.conversion_id = c.id and k.dedupe_key = $2 where c.organization_id = $1)
       order by e.id limit ${LIST_LIMITS.foundOrders}`,
      [search.trim()],
    );
    return { items: await Promise.all(rows.map((row) => this.toDetail(organizationId, row))) };
  }

  /** Events by day of arrival, and their sums. */
  async getFunnel(organizationId: string, conversionId: string): Promise<ConversionFunnel> {
    const conversion = await this.tenants.of(organizationId).conversion.findFirst({
      where: { id: conversionId, deletedAt: null },
      select: { targetSettings: true, targetApp: { select: { provider: true } } },
    });
    if (!conversion) throw notFound('The conversion');
    const { targetApp, targetSettings } = conversion;
    const reportsResults = reportsResultsOf(this.connectors, targetApp.provider, targetSettings as Record<string, unknown>);
    const rows = await this.tenants.query<{ day: string; state: ConversionEventState; events: number }>(
      organizationId,
      `select day::text, state, events from conversion_counts
        where organization_id = $1 and conversion_id = $2 and day > (now() at time zone 'UTC')::date - ${FUNNEL_DAYS} order by day`,
      [conversionId],
    );
    const reasons = await this.tenants.query<ConversionFunnel['reasons'][number]>(
      organizationId,
      reasonsSql,
      // An id is from before its event is stored.
      [conversionId, firstIdOf(new Date(Date.now() - (FUNNEL_DAYS + 1) * DAY_MS))],
    );
    const days = [...new Set(rows.map(({ day }) => day))].map((day): ConversionDay => {
      const states = rows.filter((row) => row.day === day).map((row) => [row.state, row.events] as const);
      return { day, ...countsOf(Object.fromEntries(states), reportsResults) };
    });
    return { total: sum(days), days, reasons };
  }

  private async toDetail(organizationId: string, row: DetailRow): Promise<ConversionEventDetail> {
    const requestIds = row.history.flatMap(({ requestId }) => requestId ?? []);
    const requests = await this.tenants.query<RequestRow>(
      organizationId,
      `select id, state, sent_at as "sentAt", answered_at as "answeredAt", provider_request_id as "providerRequestId",
              event_count as "eventCount", next_status_at as "nextStatusAt", counts
         from conversion_requests where organization_id = $1 and id = any($2::uuid[]) order by id limit ${LIST_LIMITS.eventHistory}`,
      [requestIds],
    );
    const adjustments = await this.tenants.query<EventRow>(
      organizationId,
      `select ${COLUMNS} from conversion_events e
        where e.organization_id = $1 and e.conversion_id = $2 and e.adjusts = $3 order by e.id limit ${LIST_LIMITS.eventHistory}`,
      [row.conversionId, row.dedupeKey],
    );
    const { conversionName, payload, rulesVersion, notes, history } = row;
    return {
      ...toEntry(row),
      ...{ conversionName, payload, rulesVersion, notes, history: history.slice(-LIST_LIMITS.eventHistory) },
      requests: requests.map((request) => ({
        ...request,
        sentAt: request.sentAt.toISOString(),
        answeredAt: request.answeredAt?.toISOString() ?? null,
        nextStatusAt: request.nextStatusAt?.toISOString() ?? null,
      })),
      adjustments: adjustments.map(toEntry),
    };
  }

  private async assertConversion(organizationId: string, id: string): Promise<void> {
    const found = await this.tenants
      .of(organizationId)
      .conversion.findFirst({ where: { id, deletedAt: null }, select: { id: true } });
    if (!found) throw notFound('The conversion');
  }
}

function toEntry(row: EventRow): ConversionEventEntry {
  const { id, conversionId, dedupeKey, adjusts, state, code, message, orderId, clickId, value, currency, identifiers, attempts } =
    row;
  return {
    ...{ id, conversionId, dedupeKey, adjusts, state, code, message, orderId, clickId, value, currency, identifiers, attempts },
    occurredAt: row.occurredAt?.toISOString() ?? null,
    receivedAt: row.receivedAt.toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    sentAt: row.sentAt?.toISOString() ?? null,
  };
}

function sum(days: ConversionCounts[]): ConversionCounts {
  const total = countsOf({}, true);
  for (const day of days) for (const name of Object.keys(total) as (keyof ConversionCounts)[]) total[name] += day[name];
  return total;
}
