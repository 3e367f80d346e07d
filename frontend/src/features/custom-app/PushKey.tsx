import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { revokePushKey, rotatePushKey } from '~/api/custom-apps';
import { keysOf } from '~/api/http/keys';
import type { PushEndpoint } from '~/api/types';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { NewKeyNotice } from '~/components/feedback/NewKeyNotice';
import { Gated } from '~/ui/inputs/GatedButton';
import { icon } from '~/ui/icon';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { toast } from '~/components/feedback/toast';
import styles from './CustomApp.module.css';

interface PushKeyProps {
  appId: string;
  endpoint: PushEndpoint;
  /** The new key. Stored only in the memory of this page. */
  secret: string | null;
  onSecret: (secret: string | null) => void;
  disabledReason: string | null;
}

function KeyState({ endpoint: { keyHint, keyMadeAt } }: { endpoint: PushEndpoint }) {
  if (keyHint === null) return <p className={`quiet ${styles.keyState}`}>No key. Events are rejected until you create one.</p>;
  return (
    <p className={`quiet ${styles.keyState}`}>
      Key ending in <code>{keyHint}</code>, created <RelativeTime at={keyMadeAt} isFocusable />
    </p>
  );
}

const DIALOGS = {
  rotate: {
    title: 'Replace the key?',
    stops: ['The current key. Senders that use it are rejected immediately'],
    stays: ['The endpoint URL', 'All accepted events'],
    confirmLabel: 'Replace key',
  },
  revoke: {
    title: 'Revoke the key?',
    stops: ['The current key. Events are rejected until you create a new one'],
    stays: ['The endpoint URL', 'All accepted events'],
    confirmLabel: 'Revoke key',
  },
};

/** A second click would replace the key that the first one creates. */
function CreateKeyButton({ isLocked, onCreate }: { isLocked: boolean; onCreate: () => Promise<void> }) {
  const { run, isBusy } = useAction({ onError: toast.failed });
  return (
    <Button leftSection={<IconKey {...icon} />} disabled={isLocked} loading={isBusy} onClick={() => void run(onCreate)}>
      Create key
    </Button>
  );
}

/** Creates, replaces and revokes the key of the endpoint. */
export function PushKey({ appId, endpoint, secret, onSecret, disabledReason }: PushKeyProps) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const [dialog, setDialog] = useState<keyof typeof DIALOGS | null>(null);
  const isLocked = disabledReason !== null;
  const refresh = () => mutate(keysOf(organizationId, 'pushEndpoint', 'app', 'apps', 'appHistory'));
  const rotate = async () => {
    onSecret((await rotatePushKey(organizationId, appId)).key);
    await refresh();
  };
  const revoke = async () => {
    await revokePushKey(organizationId, appId);
    onSecret(null);
    await refresh();
    toast.done('Key revoked');
  };
  return (
    <>
      {secret === null ? (
        <KeyState endpoint={endpoint} />
      ) : (
        <div className={styles.newKey}>
          <NewKeyNotice value={secret} onDone={() => onSecret(null)} />
        </div>
      )}
      {secret === null && (
        <Gated disabledReason={disabledReason}>
          {endpoint.keyHint === null ? (
            <CreateKeyButton isLocked={isLocked} onCreate={rotate} />
          ) : (
            <div className={styles.foot}>
              <Button variant="default" disabled={isLocked} onClick={() => setDialog('rotate')}>
                Replace key
              </Button>
              <Button variant="default" disabled={isLocked} onClick={() => setDialog('revoke')}>
                Revoke key
              </Button>
            </div>
          )}
        </Gated>
      )}
      {dialog && (
        <ConfirmDialog
          isOpen
          onClose={() => setDialog(null)}
          {...DIALOGS[dialog]}
          onConfirm={async () => {
            await (dialog === 'rotate' ? rotate() : revoke());
            setDialog(null);
          }}
        />
      )}
    </>
  );
}
