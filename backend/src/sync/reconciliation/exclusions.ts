import type { Stream } from '../../connectors/kit/contract.js';
import { withoutColumns } from '../../connectors/kit/rows/excluded-columns.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import type { AccountWindow } from './account-windows.js';
import type { ReconciledConnection } from './reconciliations.queries.js';
import type { ReconciliationExclusion } from './reconciliations.dto.js';

const listed = (kind: ReconciliationExclusion['kind'], names: string[], reason: string): ReconciliationExclusion[] =>
  names.length === 0
    ? []
    : [{ kind, reason, count: names.length, names: names.slice(0, LIST_LIMITS.reconciliationExclusionNames) }];

/**
 * What the user's choice leaves out. Nothing is requested for it: the totals of an account that is not selected are none of the
 * connection's numbers. Excluded columns are read and verified like the others, so they explain no difference.
 */
export function listExclusions(
  connection: Pick<ReconciledConnection, 'streams' | 'leftOut' | 'historyFrom' | 'unselectedAccounts'>,
  streams: readonly Stream[],
  windows: AccountWindow[],
): ReconciliationExclusion[] {
  const columns = streams
    .filter(({ name }) => connection.streams.includes(name))
    .flatMap((stream) => {
      const written = withoutColumns(stream, connection.leftOut[stream.name]).columns;
      return stream.columns.filter((column) => !written.includes(column)).map(({ name }) => `${stream.name}.${name}`);
    });
  const cut = windows.filter(({ from }) => from === connection.historyFrom).map(({ account }) => account.name);
  return [
    ...listed('accounts', connection.unselectedAccounts, 'They are not selected in the source, so nothing of them is loaded.'),
    ...listed(
      'streams',
      streams.map(({ name }) => name).filter((name) => !connection.streams.includes(name)),
      'They are not selected in the connection. Rows that were loaded before are no longer updated.',
    ),
    ...listed('columns', columns, 'They are not written. They are read and verified, so totals are the same.'),
    ...listed('days', cut, `Days before ${connection.historyFrom} are before the start of the history.`),
  ];
}
