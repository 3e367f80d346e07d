import pg from 'pg';
import type { Stream } from '../../kit/contract.js';
import type { PostgresqlSettings } from '../settings.js';

export function quote(name: string): string {
  return pg.escapeIdentifier(name);
}

export function tableNameOf(settings: Pick<PostgresqlSettings, 'tablePrefix'>, stream: Stream): string {
  return `${settings.tablePrefix}${stream.table}`;
}

/** Schema and table, quoted for SQL. */
export function qualifiedTable(settings: Pick<PostgresqlSettings, 'schema' | 'tablePrefix'>, stream: Stream): string {
  return `${quote(settings.schema)}.${quote(tableNameOf(settings, stream))}`;
}
