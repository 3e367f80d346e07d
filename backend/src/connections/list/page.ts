import { HEALTHS } from '../connections.dto.js';

// SQL: a measured list query; only used filters are part of its text.

export interface PagePosition {
  severity: number;
  name: string;
  id: string;
}

export interface PageFilter {
  severity?: number | undefined;
  /** In lower case. */
  search?: string | undefined;
  appId?: string | undefined;
  tag?: string | undefined;
}

/** Without access, all active connections are shown as paused. This order has no index. */
const SEVERITY_WITHOUT_ACCESS = `(case when k.is_paused then k.severity else ${HEALTHS.indexOf('paused')} end)`;

/** Numbers of rows that are read: the smallest that is enough. */
const SIZES = [11, 26, 51, 101] as const;

/**
 * SQL for the page of a list: `id`, `name`, `place` and `revision` of each connection, and its order. `$1` is the organization;
 * `parameters` follow. Only used filters are part of the text, so that the order of the list is read from its index, row by row. The
 * position is compared as severity, name and id, as in the index.
 *
 * The limit is part of the text too. With a limit as a parameter, PostgreSQL expects a tenth of all rows from a plan for any parameters,
 * and therefore plans the statement again for each request, which took 14 ms for lists of 1 ms.
 * @param rows the least number of rows that is read if there are so many; at most 101
 */
export function pageSql(
  { severity, search, appId, tag }: PageFilter,
  after: PagePosition | null,
  { isClosed, rows }: { isClosed: boolean; rows: number },
): { sql: string; order: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const next = (value: unknown): string => `$${parameters.push(value) + 1}`;
  const sortedBy = isClosed ? SEVERITY_WITHOUT_ACCESS : 'k.severity';
  const conditions = ['k.organization_id = $1'];
  if (severity !== undefined) conditions.push(`${sortedBy} = ${next(severity)}::smallint`);
  if (search) conditions.push(`strpos(k.search_text, ${next(search)}) > 0`);
  if (appId !== undefined) conditions.push(`${next(appId)}::uuid in (k.source_app_id, k.destination_app_id)`);
  if (tag !== undefined) conditions.push(`${next(tag)}::text = any(k.tags)`);
  if (after) {
    const position = `(${next(after.severity)}::smallint, ${next(after.name)}::text, ${next(after.id)}::uuid)`;
    conditions.push(`(${sortedBy}, k.name, k.connection_id) > ${position}`);
  }
  const limit = SIZES.find((size) => size >= rows);
  if (!limit) throw new Error(`a page of ${rows} rows`);
  const order = `${sortedBy}, k.name, k.connection_id`;
  const page = (columns: string) =>
    `select ${columns} from connection_facts k where ${conditions.join(' and ')} order by ${order} limit ${limit}`;
  const columns = `k.connection_id as id, k.name, ${sortedBy} as place`;
  return {
    // A search reads the index of the order, which contains the text, and the rows of the page only.
    sql: search
      ? `select page.*, f.revision::text from (${page(columns)}) page
           join connection_facts f on f.organization_id = $1 and f.connection_id = page.id`
      : page(`${columns}, k.revision::text`),
    order: 'page.place, page.name, page.id',
    parameters,
  };
}
