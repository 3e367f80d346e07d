import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { probeApp } from '../../../api/apps';
import { keysOf } from '../../../api/keys';
import type { App } from '../../../api/types';
import { signInName } from '../../../lib/providers';
import { useOrganizationId } from '../../../session/organization-context';
import { usePermissionGate } from '../../../session/permissions';
import { icon } from '../../../ui/icon';
import { LockedReason } from '../../../ui/LockedReason';
import { toast } from '../../../ui/toast';
import { appCan } from '../app-state';
import { ReconnectButton } from '../ReconnectButton';
import { DeleteDialog, DisconnectDialog } from './DisconnectDialog';
import { RenameDialog } from './RenameDialog';

/** Asks the platform now whether the sign-in still works, and says what it answered. */
export function ProbeButton({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const [isBusy, setBusy] = useState(false);
  const probe = async () => {
    setBusy(true);
    try {
      const { failure, accounts } = await probeApp(organizationId, app.id);
      if (failure === null) toast.done(`${signInName(app.provider)} answers; ${accounts.length} ad accounts listed`);
    } catch (error) {
      toast.failed(error);
    }
    await mutate(keysOf(organizationId, 'app', 'apps', 'appHistory'));
    setBusy(false);
  };
  return (
    <Button variant="default" leftSection={<IconRefresh {...icon} />} loading={isBusy} onClick={() => void probe()}>
      Check now
    </Button>
  );
}

type Dialog = 'rename' | 'disconnect' | 'delete';

const dialogs = { rename: RenameDialog, disconnect: DisconnectDialog, delete: DeleteDialog };

export function AppActions({ app }: { app: App }) {
  const closedBecause = usePermissionGate('apps.write');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  if (closedBecause !== null) return <LockedReason>{closedBecause}</LockedReason>;
  const Open = dialog && dialogs[dialog];
  return (
    <>
      {appCan.probe(app) && <ProbeButton app={app} />}
      {appCan.reconnect(app) && !appCan.needsSignIn(app) && <ReconnectButton app={app} label="Reconnect" variant="default" />}
      <Button variant="default" onClick={() => setDialog('rename')}>
        Rename
      </Button>
      {appCan.disconnect(app) && (
        <Button variant="default" onClick={() => setDialog('disconnect')}>
          Disconnect
        </Button>
      )}
      {appCan.delete(app) && (
        <Button variant="default" onClick={() => setDialog('delete')}>
          Delete
        </Button>
      )}
      {Open && <Open app={app} onClose={() => setDialog(null)} />}
    </>
  );
}
