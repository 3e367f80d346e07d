import type { Reconciliation } from '~/api/types';
import { plural } from '~/lib/numbers';
import table from '~/ui/layout/Table.module.css';
import styles from './Changes.module.css';

const words = { accounts: 'account', streams: 'stream', columns: 'column', days: 'account' } as const;

/** What the user left out, so that it is not compared. */
export function Exclusions({ entry: { exclusions } }: { entry: Reconciliation }) {
  if (exclusions.length === 0) return null;
  return (
    <details className={styles.exclusions}>
      <summary>Excluded from the comparison</summary>
      <ul>
        {exclusions.map(({ kind, reason, count, names }) => (
          <li key={kind}>
            <strong>{plural(count, words[kind])}</strong>: {names.join(', ')}
            {count > names.length && `, and ${count - names.length} more`}
            <span className={table.second}>{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
