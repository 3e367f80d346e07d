import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { App } from '../../api/types';
import { plural } from '../../lib/numbers';
import { paths } from '../../lib/paths';
import { useOrganizationId } from '../../session/organization-context';
import { isRelativeTarget } from '../../session/callback';
import { ProviderMark } from '../../ui/ProviderMark';
import styles from './GoogleAdsPage.module.css';

/** An app that was in use already: nothing to choose, everything that waited goes on. */
export function Reconnected({ app, returnTo }: { app: App; returnTo: string | null }) {
  const organizationId = useOrganizationId();
  const to = returnTo && isRelativeTarget(returnTo) ? returnTo : paths.app(organizationId, app.id);
  return (
    <>
      <div className={styles.head}>
        <ProviderMark provider="google_ads" size="lg" />
        <h1>Google Ads is connected again</h1>
      </div>
      <p className="quiet">
        Signed in as <strong className="strong">{app.externalUser ?? app.displayName}</strong>,{' '}
        {plural(app.accounts.length, 'account')}.{' '}
        {app.usedBy.connections > 0 &&
          `${plural(app.usedBy.connections, 'connection')} that waited will catch up the days they missed.`}
      </p>
      <div className={styles.buttons}>
        <Button component={Link} to={to}>
          Go on
        </Button>
      </div>
    </>
  );
}
