import { Injectable } from '@nestjs/common';
import { customEvents } from '../../connectors/catalog.js';
import type { AdAccount, Page, ReadContext, Slice, Source } from '../../connectors/kit/contract.js';
import { addDays } from '../../connectors/kit/days.js';
import { CorruptAnswer } from '../../connectors/kit/errors.js';
import { PageBuilder } from '../../connectors/kit/rows/page-builder.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { PushedEvents } from './pushed-events.js';

/** The day before may have been read before the last of its transactions ended. */
const LOOKBACK_DAYS = 1;

const retried = { action: 'No action needed: Tributary retries automatically' };
const problems = {
  rowRepeated: (key: string) =>
    new CorruptAnswer({ code: 'custom.row_repeated', message: `An event was read twice (${key}).`, ...retried }),
  dayOutside: (day: string) =>
    new CorruptAnswer({
      code: 'custom.day_outside',
      message: `An event of ${day} is outside of the requested days.`,
      ...retried,
    }),
};

/** The account of a custom app's source is the app itself. */
export const accountOf = (appId: string, name: string): AdAccount => ({
  ...{ externalId: appId, name, timeZone: 'UTC', status: 'enabled', managerId: null, managerName: null },
  // The code of ISO 4217 for no currency.
  currency: 'XXX',
});

/** Pushed events as a source that connections load. */
@Injectable()
export class PushedEventsSource {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly events: PushedEvents,
  ) {}

  open(organizationId: string, appId: string): Source {
    return {
      provider: 'custom',
      streams: [customEvents],
      listAccounts: async () => {
        const app = await this.tenants.of(organizationId).app.findFirst({ where: { id: appId, deletedAt: null } });
        return app ? [accountOf(appId, app.displayName)] : [];
      },
      lookbackDays: () => Promise.resolve(LOOKBACK_DAYS),
      read: (context, slice) => this.read(organizationId, context, slice),
    };
  }

  /** If fewer events are read than were stored at the start, none of them is loaded. Later ones may be added. */
  private async *read(organizationId: string, { signal }: ReadContext, slice: Slice): AsyncGenerator<Page> {
    const appId = slice.account.externalId;
    const pages = new PageBuilder(slice, {}, problems);
    const period = { from: startOf(slice.from), to: startOf(addDays(slice.to, 1)) };
    const stored = await this.events.countReceived(organizationId, appId, period);
    let rows = 0;
    for await (const events of this.events.listReceived(organizationId, appId, period)) {
      signal.throwIfAborted();
      for (const event of events) {
        const receivedAt = event.receivedAt.toISOString();
        pages.addRow({
          ...{ account_id: appId, date: receivedAt.slice(0, 10), event_id: event.id, received_at: receivedAt },
          ...{ dedupe_key: event.dedupeKey, payload: JSON.stringify(event.payload) },
        });
      }
      rows += events.length;
      yield* pages.take();
    }
    if (rows < stored) throw rowsDiffer(stored, rows);
    yield* pages.takeAll();
    yield { lines: Buffer.alloc(0), rowCount: 0, days: [], providerRows: rows };
  }
}

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

const rowsDiffer = (expected: number, found: number): CorruptAnswer =>
  new CorruptAnswer({
    ...{ code: 'custom.rows_differ', message: `Only ${found} of ${expected} stored events could be read.` },
    ...retried,
  });
