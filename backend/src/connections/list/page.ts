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

/**
 * SQL for the rows of a page of `connection_facts`, and its order. `$1` is the organization and `$2` the number of rows; `parameters`
 * follow. Only used filters are part of the text, so that the order of the list is read from its index, row by row. The position is
 * compared as severity, name and id, as in the index.
 */
export function pageSql(
  { severity, search, appId, tag }: PageFilter,
  after: PagePosition | null,
  isClosed: boolean,
): { facts: string; order: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const next = (value: unknown): string => `$${parameters.push(value) + 2}`;
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
  return {
    facts: `select k.*, ${sortedBy} as place from connection_facts k where ${conditions.join(' and ')}
             order by ${sortedBy}, k.name, k.connection_id limit $2`,
    order: 'f.place, f.name, f.connection_id',
    parameters,
  };
}
