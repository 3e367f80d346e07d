import { Button, TextInput } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { createBadge, revokeBadge, useBadge } from '~/api/connections/freshness';
import { keys } from '~/api/http/keys';
import type { Badge } from '~/api/types';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { Notice } from '~/ui/feedback/Notice';
import { Skeleton } from '~/ui/feedback/Skeleton';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { Gated } from '~/ui/inputs/GatedButton';
import { SettingRow } from '~/ui/layout/SettingRow';
import styles from './BadgeSetting.module.css';

const MOST_CHARACTERS = 60;

/** The URL is shown once and stored only in the memory of this page. */
const NewUrl = ({ url, label, onDone }: { url: string; label: string; onDone: () => void }) => (
  <Notice
    tone="accent"
    icon={IconLink}
    title="Copy the badge URL now"
    isAlert
    actions={
      <Button variant="default" onClick={onDone}>
        Done
      </Button>
    }
  >
    You won’t see this URL again. Everyone with it can see the badge.
    <span className={styles.url}>
      <code>{url}</code>
      <CopyButton text={url} label="Copy badge URL" />
    </span>
    <img className={styles.picture} src={new URL(url).pathname} alt={`Badge: ${label}`} height={20} />
  </Notice>
);

function RevokeDialog({ badge, onClose, onRevoked }: { badge: Badge; onClose: () => void; onRevoked: () => Promise<unknown> }) {
  const organizationId = useOrganizationId();
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Revoke the badge ${badge.label}?`}
      stops={['The badge, everywhere it is embedded']}
      stays={['Data and other badges']}
      note="This cannot be undone. Copies in caches disappear within a minute."
      confirmLabel="Revoke badge"
      onConfirm={async () => {
        await revokeBadge(organizationId, badge.id);
        await onRevoked();
      }}
    />
  );
}

interface LabelInputProps {
  label: string;
  isLocked: boolean;
  onChange: (label: string) => void;
}

const LabelInput = ({ label, isLocked, onChange }: LabelInputProps) => (
  <TextInput
    className={styles.label}
    aria-label="Text on the badge"
    value={label}
    maxLength={MOST_CHARACTERS}
    disabled={isLocked}
    onChange={(event) => onChange(event.currentTarget.value)}
    onKeyDown={(event) => {
      // The form around it saves other settings.
      if (event.key === 'Enter') event.preventDefault();
    }}
  />
);

interface FormProps {
  connectionId: string | null;
  name: string;
  badge: Badge | null;
}

function BadgeForm({ connectionId, name, badge }: FormProps) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const disabledReason = usePermissionGate('badges.write');
  const { run, isBusy, error } = useAction();
  const [label, setLabel] = useState((badge?.label ?? name).slice(0, MOST_CHARACTERS));
  const [created, setCreated] = useState<{ url: string; label: string } | null>(null);
  const [isRevoking, setRevoking] = useState(false);
  const reload = () => mutate(keys.badge(organizationId, connectionId));
  const create = async () => {
    const { url, badge: made } = await createBadge(organizationId, connectionId, label.trim());
    setCreated({ url, label: made.label });
    await reload();
  };
  const isLocked = disabledReason !== null;
  return (
    <>
      {created && <NewUrl {...created} onDone={() => setCreated(null)} />}
      {badge && (
        <p className={styles.note}>
          {badge.label}, created <RelativeTime at={badge.createdAt} />
          {badge.createdBy && ` by ${badge.createdBy}`}
        </p>
      )}
      <Gated disabledReason={disabledReason}>
        <span className={styles.line}>
          <LabelInput label={label} isLocked={isLocked} onChange={setLabel} />
          <Button variant="default" loading={isBusy} disabled={isLocked || label.trim() === ''} onClick={() => void run(create)}>
            {badge ? 'Replace badge' : 'Create badge'}
          </Button>
          {badge && (
            <Button variant="subtle" disabled={isLocked || isBusy} onClick={() => setRevoking(true)}>
              Revoke badge
            </Button>
          )}
        </span>
      </Gated>
      {badge && <p className={styles.note}>A new badge gets another URL, and the previous one stops working.</p>}
      {error !== null && <ErrorText error={error} />}
      {badge && isRevoking && (
        <RevokeDialog
          badge={badge}
          onClose={() => setRevoking(false)}
          onRevoked={() => {
            setCreated(null);
            return reload();
          }}
        />
      )}
    </>
  );
}

/** The public badge of a connection; `connectionId: null` is the badge of the organization. */
export function BadgeSetting({ connectionId, name }: { connectionId: string | null; name: string }) {
  const { data, error, mutate } = useBadge(useOrganizationId(), connectionId);
  return (
    <SettingRow
      title="Freshness badge"
      hint={
        connectionId === null
          ? 'A picture for wikis and dashboards: how many connections with a freshness target are late. No sign-in is needed.'
          : 'A picture for wikis and dashboards: up to which day data is complete. No sign-in is needed.'
      }
    >
      {error !== undefined && <ErrorNotice error={error} title="Couldn’t load the badge" onRetry={() => void mutate()} />}
      {!data && error === undefined && <Skeleton width={320} height={32} />}
      {data && <BadgeForm connectionId={connectionId} name={name} badge={data.badge} />}
    </SettingRow>
  );
}
