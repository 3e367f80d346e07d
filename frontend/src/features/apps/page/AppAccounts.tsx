import { Link } from 'react-router-dom';
import type { App } from '~/api/types';
import { hasCurrency } from '~/domain/billing/money';
import { formatAccountId } from '~/domain/accounts/account-tree';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import styles from './AppPage.module.css';

const statusWords = { enabled: 'Enabled', closed: 'Closed', disabled: 'Disabled' };
/** Maximum number of rows. The accounts page lists the rest. */
const SHOWN = 12;

/** Ad accounts the app can access. */
export function AppAccounts({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  if (app.accounts.length === 0) return null;
  const hidden = app.accounts.length - SHOWN;
  const configuration = paths.appConfiguration(organizationId, app.id, app.provider);
  return (
    <Section title="Ad accounts" aside={<Link to={configuration}>Accounts and defaults</Link>}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col" className={styles.wide}>
              Manager
            </th>
            <th scope="col">Currency</th>
            <th scope="col" className={styles.wide}>
              Time zone
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {app.accounts.slice(0, SHOWN).map((account) => (
            <tr key={account.externalId}>
              <td>
                {account.name} <code className="quiet">{formatAccountId(account.externalId)}</code>
              </td>
              <td className={`quiet ${styles.wide}`}>{account.managerName ?? account.managerId ?? '—'}</td>
              <td>{hasCurrency(account.currency) ? account.currency : '—'}</td>
              <td className={`quiet ${styles.wide}`}>{account.timeZone}</td>
              <td className="quiet">{statusWords[account.status]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <p className={styles.more}>
          <Link to={configuration}>{plural(hidden, 'more account')}</Link>
        </p>
      )}
    </Section>
  );
}
