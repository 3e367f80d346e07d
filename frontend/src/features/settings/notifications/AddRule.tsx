import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { keys } from '~/api/http/keys';
import { createNotificationRule } from '~/api/notifications';
import type { MemberRole } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import styles from './Notifications.module.css';
import { eventsFor } from './rule-words';

const ROLES = [
  { value: 'owner', label: 'Owners' },
  { value: 'admin', label: 'Admins' },
  { value: 'editor', label: 'Editors' },
  { value: 'viewer', label: 'Viewers' },
];
const isRole = (value: string | null): value is MemberRole => ROLES.some((role) => role.value === value);

/** Adds a mail rule for a role. Rules of webhooks are created with the webhook. */
export function AddRule() {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { run, isBusy, error } = useAction();
  const [role, setRole] = useState<MemberRole>('editor');
  const add = async () => {
    const events = eventsFor('mail').filter((event) => event !== 'weekly.summary');
    await createNotificationRule(organizationId, { channel: 'mail', events, roles: [role] });
    await mutate(keys.notificationRules(organizationId));
  };
  return (
    <div className={styles.add}>
      <Select
        label="Also mail alerts to"
        data={ROLES}
        value={role}
        allowDeselect={false}
        onChange={(value) => isRole(value) && setRole(value)}
      />
      <Button loading={isBusy} onClick={() => void run(add)}>
        Add rule
      </Button>
      {error !== null && <ErrorText error={error} />}
    </div>
  );
}
