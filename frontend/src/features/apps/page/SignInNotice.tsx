import { IconPlugConnectedX } from '@tabler/icons-react';
import type { App } from '~/api/types';
import { useNow } from '~/lib/use-now';
import { usePermissionGate } from '~/session/permissions';
import { Gated } from '~/ui/inputs/GatedButton';
import { Notice } from '~/ui/feedback/Notice';
import { appCan } from '~/features/apps/app-state';
import { accessProblemReason, accessProblemTitle } from '~/features/apps/access-problem';
import { ReconnectButton } from '~/features/apps/ReconnectButton';
import { ShareLinkButton } from '~/features/apps/ShareLinkButton';
import styles from './AppPage.module.css';

/** Notice for an app that is expired, expiring or not connected yet, with the action to take. */
export function SignInNotice({ app }: { app: App }) {
  const now = useNow();
  const isNew = appCan.begin(app);
  const disabledReason = usePermissionGate('apps.write', isNew ? 'connect' : 'reconnect');
  const isClosed = disabledReason !== null;
  if (!isNew && !appCan.needsSignIn(app)) return null;
  const mustReconnect = appCan.mustReconnect(app);
  return (
    <div className={styles.notice}>
      <Notice
        tone={isNew ? 'accent' : mustReconnect ? 'danger' : 'warn'}
        icon={mustReconnect ? IconPlugConnectedX : undefined}
        title={isNew ? 'This app is not connected yet' : accessProblemTitle(app, now)}
        actions={
          <Gated disabledReason={disabledReason}>
            {!isNew && <ShareLinkButton app={app} disabled={isClosed} />}
            <ReconnectButton app={app} disabled={isClosed} />
          </Gated>
        }
      >
        {isNew ? 'Sign in and select the accounts to read.' : accessProblemReason(app)}
      </Notice>
    </div>
  );
}
