import type { App } from '~/api/types';
import { formatAccountId, groupAccounts } from '~/domain/accounts/account-tree';
import { plural } from '~/lib/numbers';
import { CopyButton } from '~/ui/inputs/CopyButton';
import styles from './Accounts.module.css';

/** Managers of the app's accounts, with the number of accounts each. */
export function Managers({ app }: { app: App }) {
  const groups = groupAccounts(app.accounts);
  if (groups.length === 0) return <p className="quiet">No accounts found yet.</p>;
  return (
    <ul className={styles.managers}>
      {groups.map(({ managerId, name, accounts }) => (
        <li key={managerId ?? ''}>
          <span className={styles.name}>{name}</span>
          {managerId && managerId !== name && (
            <span className={styles.id}>
              <code>{formatAccountId(managerId)}</code>
              <CopyButton text={managerId} label={`Copy the ID of ${name}`} />
            </span>
          )}
          <span className="label">{plural(accounts.length, 'account')}</span>
        </li>
      ))}
    </ul>
  );
}
