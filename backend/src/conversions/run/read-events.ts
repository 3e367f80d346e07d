import { Injectable } from '@nestjs/common';
import type { ConnectorContext } from '../../connectors/kit/contract.js';
import type { RecordPage } from '../../connectors/kit/conversion-source.js';
import { type Claim, ConversionLedger } from '../ledger/conversion-ledger.js';
import { prepareEvent, type NewEvent } from '../ledger/prepare-event.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { OpenedConversion } from '../settings/open-conversion.js';
import { meets, occursBefore } from '../settings/mapping.js';
import type { ConversionProgress } from './progress.js';

// SQL: in the ledger's fenced transaction.

/** Reads new records of the source and stores them as events. A page is stored together with the cursor after it. */
@Injectable()
export class ReadEvents {
  constructor(private readonly ledger: ConversionLedger) {}

  async readAll(claim: Claim, opened: OpenedConversion, context: ConnectorContext, progress: ConversionProgress): Promise<void> {
    const { cursor, since } = opened;
    const source = await opened.openSource();
    try {
      for await (const page of source.read(context, cursor, since)) {
        context.signal.throwIfAborted();
        await progress.read(page, await this.store(claim, opened, page));
      }
    } finally {
      await source.close();
    }
  }

  private store(claim: Claim, opened: OpenedConversion, page: RecordPage): Promise<number> {
    const now = new Date();
    const events = page.records
      .filter((record) => meets(record, opened.filter))
      // Sources return some again: a query without a time field all of its rows, an overlap those from before the start.
      .filter((record) => !occursBefore(record, opened.prepareRules.mapping, opened.since))
      .map((record) => prepareEvent(record, opened.prepareRules, now));
    const store = async (query: TenantQuery) => {
      const count = await this.ledger.insert(
        query,
        claim,
        await this.markRepeatedPersons(query, claim, unique(events)),
        opened.target.key,
      );
      if (page.cursor) {
        await query('update conversions set cursor = $3::jsonb where organization_id = $1 and id = $2', [
          claim.conversionId,
          JSON.stringify(page.cursor),
        ]);
      }
      return count;
    };
    return this.ledger.change(claim, store, opened.version);
  }

  /** With the rule `first_only`, later events of a person are not sent. */
  private async markRepeatedPersons(query: TenantQuery, { conversionId }: Claim, events: NewEvent[]): Promise<NewEvent[]> {
    const keys = [...new Set(events.flatMap(({ personKey }) => personKey ?? []))];
    const persons = await this.ledger.listKnownPersons(query, conversionId, keys);
    if (keys.length === 0) return events;
    const known = await this.ledger.listKnownKeys(
      query,
      conversionId,
      events.map(({ dedupeKey }) => dedupeKey),
    );
    return events.map((event) => {
      const { personKey, dedupeKey, result } = event;
      const isEligible = typeof result === 'object' && 'prepared' in result;
      if (!personKey || !isEligible || known.has(dedupeKey)) return event;
      if (!persons.has(personKey)) {
        persons.add(personKey);
        return event;
      }
      return { ...event, result: { rejected: NOT_FIRST } };
    });
  }
}

const NOT_FIRST = {
  reason: 'not_first',
  message: 'Only the first event of a person counts, and this person has an earlier one.',
} as const;

/** The last one of equal dedupe keys of a page stays out: one statement cannot insert a key twice. */
const unique = (events: NewEvent[]): NewEvent[] =>
  [...new Map(events.toReversed().map((event) => [event.dedupeKey, event])).values()].toReversed();
