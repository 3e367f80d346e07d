import type { Column, Stream } from '../../kit/contract.js';
import { ColumnsChanged, type FailureDetail, FixSettings, RetryLater } from '../../kit/errors.js';
import type { PostgresqlSettings } from '../settings.js';
import { tableNameOf } from './names.js';
import { typeNames } from './table-format.js';

/** SQLSTATE of a lock timeout. */
export const LOCK_NOT_AVAILABLE = '55P03';

export function foreignTable(settings: PostgresqlSettings, stream: Stream): FixSettings {
  return new FixSettings({
    code: 'postgresql.foreign_table',
    message: `The table "${settings.schema}.${tableNameOf(settings, stream)}" already exists and was not created by Tributary. It was not changed.`,
    action: 'Choose another schema or table prefix',
    failureClass: 'schema',
  });
}

const changeDetail = (settings: PostgresqlSettings, stream: Stream, difference: string): FailureDetail => ({
  code: 'postgresql.table_changed',
  message: `The table "${settings.schema}.${tableNameOf(settings, stream)}" was changed: ${difference}.`,
  action: 'Undo the change, or choose another table prefix',
});

export const changedTable = (settings: PostgresqlSettings, stream: Stream, difference: string): FixSettings =>
  new FixSettings({ ...changeDetail(settings, stream, difference), failureClass: 'schema' });

export function changedColumns(
  settings: PostgresqlSettings,
  stream: Stream,
  columns: Column[],
  typeOf: (name: string) => string,
): ColumnsChanged {
  const differences = columns.map(({ name, type }) => ({ column: name, expected: typeNames[type], found: typeOf(name) }));
  const texts = differences.map(({ column, expected, found }) => `its column "${column}" is ${found}, expected ${expected}`);
  return new ColumnsChanged({ ...changeDetail(settings, stream, texts.join('; ')), stream: stream.name, differences });
}

export function lockedTable(settings: PostgresqlSettings, stream: Stream, columns: Column[]): RetryLater {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  return new RetryLater({
    code: `postgresql.${LOCK_NOT_AVAILABLE.toLowerCase()}`,
    message: `${names} could not be added to "${settings.schema}.${tableNameOf(settings, stream)}": another session holds a lock on the table.`,
    action: 'No action needed: Tributary retries automatically',
  });
}

/** A trigger, a rule or a concurrent session kept rows. Committing would leave them beside the new ones. */
export const outdatedRows = (settings: PostgresqlSettings, stream: Stream): RetryLater =>
  new RetryLater({
    code: 'postgresql.rows_not_deleted',
    message: `PostgreSQL did not delete every outdated row of "${settings.schema}.${tableNameOf(settings, stream)}". Nothing of the chunk was loaded.`,
    action: 'Tributary retries automatically. If it repeats, drop the triggers and rules that keep rows of the table',
  });
