import { Injectable } from '@nestjs/common';
import type { ConnectionEntry, ConnectionsQuery } from '../connections.dto.js';
import { ConnectionsQueries } from '../connections.queries.js';
import { EntryCache } from './entry-cache.js';
import { ConnectionList, type ListRow } from './list.queries.js';

/** Pages of the list of connections. Only entries that may have changed since they were last listed are computed. */
@Injectable()
export class ConnectionPages {
  private readonly cache = new EntryCache();

  constructor(
    private readonly list: ConnectionList,
    private readonly queries: ConnectionsQueries,
  ) {}

  /** A `ConnectionPage` as JSON, because most entries are kept as JSON. */
  async read(organizationId: string, query: ConnectionsQuery): Promise<string> {
    const { rows, counts, tags, isClosed, cursorOf } = await this.list.read(organizationId, query);
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const nextCursor = rows.length > query.limit && last ? cursorOf(last) : null;
    const entries = await this.entries(organizationId, page, isClosed);
    return `{"items":[${entries.join(',')}],"nextCursor":${JSON.stringify(nextCursor)},"counts":${JSON.stringify(counts)},"tags":${tags}}`;
  }

  /** Of the connections that still exist, as JSON. */
  private async entries(organizationId: string, page: ListRow[], isClosed: boolean): Promise<string[]> {
    const entries = page.map((row) => (isClosed ? undefined : this.cache.get(row)));
    const missing = page.filter((_, place) => entries[place] === undefined);
    const readAt = Date.now();
    const computed = await this.queries.listStored(
      organizationId,
      missing.map(({ id }) => id),
    );
    return page.flatMap((row, place) => {
      const entry = computed.get(row.id);
      if (!entry) return entries[place] ?? [];
      const json = JSON.stringify(entry);
      if (!isClosed && changesOnlyWithRevision(entry)) this.cache.set(row, json, readAt);
      return json;
    });
  }
}

/** Others show the progress of a run or of a backfill, or that the access has just ended. */
const changesOnlyWithRevision = ({ activeRun, health, desired }: ConnectionEntry): boolean =>
  activeRun === null && health !== 'backfilling' && (health !== 'paused' || desired === 'paused');
