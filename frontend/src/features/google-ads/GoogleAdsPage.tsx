import { useSearchParams } from 'react-router-dom';
import { useTitle } from '../../lib/use-title';
import { useOrganizationId } from '../../session/organization-context';
import { Brand } from '../../ui/Mark';
import { ChooseAccounts } from './ChooseAccounts';
import { Completion } from './Completion';
import styles from './GoogleAdsPage.module.css';

/**
 * Where Google sends the browser back to, and where accounts of a connected app are chosen: with `state` an authorization
 * is finished first, with `app` the choice begins at once.
 */
export default function GoogleAdsPage() {
  useTitle('Google Ads');
  const organizationId = useOrganizationId();
  const [parameters] = useSearchParams();
  const app = parameters.get('app');
  return (
    <div className={styles.frame}>
      <header className={styles.brand}>
        <Brand size={18} />
      </header>
      <main className={styles.main}>
        {app !== null ? (
          <ChooseAccounts appId={app} />
        ) : (
          <Completion
            organizationId={organizationId}
            answer={{
              state: parameters.get('state') ?? '',
              code: parameters.get('code') ?? undefined,
              error: parameters.get('error') ?? undefined,
            }}
          />
        )}
      </main>
    </div>
  );
}
