import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { probeApp } from '~/api/apps';
import { keysOf } from '~/api/http/keys';
import type { App } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { Gated } from '~/ui/inputs/GatedButton';
import { toast } from '~/components/feedback/toast';
import { appCan } from '~/features/apps/app-state';
import { probeText } from '~/features/apps/describe-app';
import styles from './AppPage.module.css';
import { ReconnectButton } from '~/features/apps/ReconnectButton';
import { DeleteAppDialog, DisconnectDialog } from './DisconnectDialog';
import { RenameDialog } from './RenameDialog';

/** Tests whether the sign-in still works and shows the result. */
export function ProbeButton({ app, disabled }: { app: App; disabled?: boolean }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { run, isBusy } = useAction({ onError: toast.failed });
  const probe = async () => {
    try {
      const { failure, accounts } = await probeApp(organizationId, app.id);
      if (failure === null) toast.done(probeText(app.provider, accounts.length));
    } finally {
      await mutate(keysOf(organizationId, 'app', 'apps', 'appHistory'));
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh {...icon} />}
      loading={isBusy}
      disabled={disabled}
      onClick={() => void run(probe)}
    >
      Test now
    </Button>
  );
}

type Dialog = 'rename' | 'disconnect' | 'delete';

const dialogs = { rename: RenameDialog, disconnect: DisconnectDialog, delete: DeleteAppDialog };

/** Link to the provider-specific configuration page of the app, if it has one. */
function ConfigurationLink({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  const to = paths.appConfiguration(organizationId, app.id, app.provider);
  if (to === paths.app(organizationId, app.id)) return null;
  return (
    <Button variant="default" component={Link} to={to}>
      Configuration
    </Button>
  );
}

export function AppActions({ app }: { app: App }) {
  const disabledReason = usePermissionGate('apps.write');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const look = { variant: 'default', disabled: disabledReason !== null };
  const Open = dialog && dialogs[dialog];
  return (
    <>
      <ConfigurationLink app={app} />
      <Gated disabledReason={disabledReason} align="end">
        <span className={styles.actions}>
          {appCan.probe(app) && <ProbeButton app={app} disabled={look.disabled} />}
          {appCan.reconnect(app) && !appCan.needsSignIn(app) && <ReconnectButton app={app} label="Reconnect" {...look} />}
          <Button {...look} onClick={() => setDialog('rename')}>
            Rename
          </Button>
          {appCan.disconnect(app) && (
            <Button {...look} onClick={() => setDialog('disconnect')}>
              Disconnect
            </Button>
          )}
          {appCan.delete(app) && (
            <Button {...look} onClick={() => setDialog('delete')}>
              Delete
            </Button>
          )}
        </span>
      </Gated>
      {Open && <Open app={app} onClose={() => setDialog(null)} />}
    </>
  );
}
