import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { ConnectionCursors, LoadedPlace } from './flows.dto.js';
import { listLoadedPlaces, listLoadedRanges, type PlaceOfStream } from '../../read-models/index.js';
import { appendOnlyProviders } from '../../connectors/registry.js';

/** Account-days of one file: an import stores a row for each, in one transaction. */
export const MOST_LOADED_DAYS = 500_000;
/** Limits of one connection, as validated by an import. */
const MOST_GROUPS = 200;
const MOST_RANGES = 1_000;
const MOST_ACCOUNTS = 500;

/** What connections have loaded, and where. */
@Injectable()
export class CursorsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** In the order of the connections; those beyond the limit of days have none. */
  async list(organizationId: string, connectionIds: string[]): Promise<Map<string, ConnectionCursors>> {
    const loaded = await listLoadedRanges(this.tenants, organizationId, appendOnlyProviders.all);
    const places = await listLoadedPlaces(this.tenants, organizationId);
    const [rangesOf, placesOf] = [byConnection(loaded), byConnection(places)];
    const result = new Map<string, ConnectionCursors>();
    let days = 0;
    for (const id of connectionIds) {
      const own = rangesOf.get(id) ?? [];
      const count = own.reduce((sum, row) => sum + row.count, 0);
      if (own.length === 0 || own.length > MOST_GROUPS || days + count > MOST_LOADED_DAYS) continue;
      if (own.some((row) => row.days.length > MOST_RANGES || row.accountIds.length > MOST_ACCOUNTS)) continue;
      days += count;
      result.set(id, {
        loaded: own.map(({ stream, accountIds, days }) => ({ stream, accountIds, days })),
        places: (placesOf.get(id) ?? []).map(toPlace),
      });
    }
    return result;
  }
}

function byConnection<Row extends { connectionId: string }>(rows: Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.connectionId);
    if (group) group.push(row);
    else groups.set(row.connectionId, [row]);
  }
  return groups;
}

const toPlace = ({ stream, place, columns }: PlaceOfStream): LoadedPlace => ({
  ...{ stream, place },
  columns: Object.entries(columns)
    .map(([name, identity]) => `${name} ${identity}`)
    .sort(),
});
