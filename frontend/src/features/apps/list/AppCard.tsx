import { Link } from 'react-router-dom';
import type { App } from '../../../api/types';
import { plural } from '../../../lib/numbers';
import { paths } from '../../../lib/paths';
import { useNow } from '../../../lib/use-now';
import { useOrganizationId } from '../../../session/organization-context';
import { usePermissionGate } from '../../../session/permissions';
import { LockedReason } from '../../../ui/LockedReason';
import { providerName, ProviderMark } from '../../../ui/ProviderMark';
import { appCan } from '../app-state';
import { AppStatus } from '../AppStatus';
import { accountText, expiryText, usedText } from '../describe-app';
import { ReconnectButton } from '../ReconnectButton';
import { ShareLinkButton } from '../ShareLinkButton';
import styles from './AppsPage.module.css';

const roleText = ({ roles }: App): string => roles.map((role) => (role === 'source' ? 'Source' : 'Destination')).join(', ');

function Facts({ app }: { app: App }) {
  const now = useNow();
  const expiry = expiryText(app, now);
  const facts = [
    roleText(app),
    app.accounts.length > 0 && plural(app.accounts.length, 'ad account'),
    usedText(app),
    expiry,
    app.shareLink && 'A reconnect link is out',
  ].filter(Boolean);
  return (
    <ul className={styles.facts} aria-label="Facts">
      {facts.map((fact) => (
        <li key={String(fact)}>{fact}</li>
      ))}
    </ul>
  );
}

function CardActions({ app }: { app: App }) {
  const closedBecause = usePermissionGate('apps.write');
  if (!appCan.needsSignIn(app) && !appCan.begin(app)) return null;
  if (closedBecause !== null) return <LockedReason>{closedBecause}</LockedReason>;
  return (
    <div className={styles.actions}>
      <ReconnectButton app={app} size="xs" variant="default" />
      {!appCan.begin(app) && <ShareLinkButton app={app} size="xs" />}
    </div>
  );
}

export function AppCard({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  return (
    <li className={styles.card}>
      <ProviderMark provider={app.provider} size="lg" />
      <div className={styles.text}>
        <div className={styles.top}>
          <Link to={paths.app(organizationId, app.id)} className={styles.name}>
            {app.displayName}
          </Link>
          <AppStatus app={app} />
        </div>
        <p className={styles.account}>
          {providerName(app.provider)}, {accountText(app)}
        </p>
        <Facts app={app} />
        {app.failure && <p className={styles.failure}>{app.failure.message}</p>}
        <CardActions app={app} />
      </div>
    </li>
  );
}
