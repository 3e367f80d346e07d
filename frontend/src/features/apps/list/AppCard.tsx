import { Link } from 'react-router-dom';
import type { App } from '~/api/types';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Gated } from '~/ui/inputs/GatedButton';
import { providerName, ProviderMark } from '~/components/status/ProviderMark';
import { appCan } from '~/features/apps/app-state';
import { AppStatus } from '~/features/apps/AppStatus';
import { accountText, expiryText, usedText } from '~/features/apps/describe-app';
import { Skeleton } from '~/ui/feedback/Skeleton';
import { ReconnectButton } from '~/features/apps/ReconnectButton';
import { ShareLinkButton } from '~/features/apps/ShareLinkButton';
import styles from './AppsPage.module.css';

const roleText = ({ roles }: App): string => roles.map((role) => (role === 'source' ? 'Source' : 'Destination')).join(', ');

function Facts({ app }: { app: App }) {
  const now = useNow();
  const expiry = expiryText(app, now);
  const facts = [
    roleText(app),
    app.accounts.length > 0 && plural(app.accounts.length, app.provider === 'stripe' ? 'account' : 'ad account'),
    usedText(app),
    expiry,
    app.shareLink && 'Reconnect link pending',
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
  const isNew = appCan.begin(app);
  const disabledReason = usePermissionGate('apps.write', isNew ? 'connect' : 'reconnect');
  const isClosed = disabledReason !== null;
  if (!appCan.needsSignIn(app) && !isNew) return null;
  return (
    <div className={styles.actions}>
      <Gated disabledReason={disabledReason}>
        <ReconnectButton app={app} size="xs" variant="default" disabled={isClosed} />
        {!isNew && <ShareLinkButton app={app} size="xs" disabled={isClosed} />}
      </Gated>
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
          {[providerName(app.provider), accountText(app)].filter((text) => text !== null).join(', ')}
        </p>
        <Facts app={app} />
        {app.failure && <p className={styles.failure}>{app.failure.message}</p>}
        <CardActions app={app} />
      </div>
    </li>
  );
}

/** A card while the list is loading. */
export const AppCardSkeleton = () => (
  <li className={styles.card} data-loading>
    <Skeleton width={32} height={32} />
    <div className={styles.text}>
      <div className={styles.top}>
        <Skeleton width={160} />
        <Skeleton width={84} />
      </div>
      <Skeleton width={220} />
      <Skeleton width={260} />
    </div>
  </li>
);
