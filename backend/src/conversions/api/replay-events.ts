import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { Prisma } from '../../generated/prisma/client.js';
import { ConversionLedger } from '../ledger/conversion-ledger.js';
import { startWithin } from '../run/conversion-runs.js';
import type { ReplayBody } from './conversion-events.dto.js';

// SQL: locks the conversion's row, and finds the refunds of any number of events.

/** Events of one transaction. */
const BATCH = 5_000;

/** Sends events again that the platform does not have, and then the refunds that waited for them. */
@Injectable()
export class ReplayEvents {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly ledger: ConversionLedger,
    private readonly audit: AuditService,
  ) {}

  /** Events that the platform took are never sent again, because not every platform removes duplicates. */
  async replay(actor: Actor, conversionId: string, body: ReplayBody): Promise<number> {
    let total = 0;
    for (let after: string | undefined; ;) {
      const { events, last } = await this.replayBatch(actor, conversionId, body, after);
      total += events;
      if (events < BATCH) return total;
      after = last;
    }
  }

  /** In the order of their ids, so that an event that ends again meanwhile is not sent once more. */
  private async replayBatch(
    actor: Actor,
    conversionId: string,
    { eventIds, state }: ReplayBody,
    after: string | undefined,
  ): Promise<{ events: number; last: string | undefined }> {
    const { organizationId } = actor;
    return this.tenants.write(organizationId, async (transaction, query) => {
      const [conversion] = await query<{ name: string }>(
        'select name from conversions where organization_id = $1 and id = $2 and deleted_at is null for no key update',
        [conversionId],
      );
      if (!conversion) throw notFound('The conversion');
      if (!eventIds === !state) throw new Problem('request.invalid', 'Enter either eventIds or state.');
      const events = await transaction.conversionEvent.findMany({
        where: {
          ...{ conversionId, payload: { not: Prisma.DbNull }, state: state ?? { in: ['rejected', 'dead'] } },
          id: { ...(eventIds && { in: eventIds }), ...(after && { gt: after }) },
        },
        orderBy: { id: 'asc' },
        take: BATCH,
        select: { id: true, dedupeKey: true },
      });
      if (events.length === 0 && after) return { events: 0, last: after };
      await this.queue(query, conversionId, events);
      await startWithin(query, organizationId, conversionId);
      const target = { type: 'conversion', id: conversionId, name: conversion.name };
      await this.audit.record(actor, { action: 'conversion.replayed', target, after: { events: events.length } }, query);
      return { events: events.length, last: events.at(-1)?.id };
    });
  }

  private async queue(query: TenantQuery, conversionId: string, events: { id: string; dedupeKey: string }[]): Promise<void> {
    await query(
      'update conversion_events set attempts = 0 where organization_id = $1 and conversion_id = $2 and id = any($3::uuid[])',
      [conversionId, events.map(({ id }) => id)],
    );
    // They ended because the platform did not have their order, or may not have had it.
    const refunds = await query<{ id: string }>(
      `select id from conversion_events
        where organization_id = $1 and conversion_id = $2 and adjusts = any($3::text[])
          and state = 'ineligible' and code in ('original_not_sent', 'original_unknown')`,
      [conversionId, events.map(({ dedupeKey }) => dedupeKey)],
    );
    await this.ledger.apply(
      query,
      conversionId,
      [...events, ...refunds].map(({ id }) => ({ id, state: 'queued', code: 'replayed' })),
    );
  }
}
