import { Button, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMail } from '@tabler/icons-react';
import { useId } from 'react';
import { useSWRConfig } from 'swr';
import { sendInvitation } from '~/api/invitations';
import type { NewInvitation } from '~/api/invitations';
import { keys } from '~/api/http/keys';
import { useOrganizationProfile } from '~/api/organization';
import { isRole, roleMeaning, roleOptions, rolesUpTo } from '~/domain/accounts/roles';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { useSession } from '~/session/session-context';
import { usePermissionGate } from '~/session/permissions';
import { ErrorText } from '~/components/feedback/ErrorText';
import { icon } from '~/ui/icon';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { toast } from '~/components/feedback/toast';
import styles from './Team.module.css';

export function InviteForm() {
  const organizationId = useOrganizationId();
  const { data: organization } = useOrganizationProfile(organizationId);
  const { isEmailVerified } = useSession();
  const closedByRole = usePermissionGate('invitations.write');
  const disabledReason = closedByRole ?? (isEmailVerified ? null : 'Verify your email address first');
  const { mutate } = useSWRConfig();
  const hintId = useId();
  const { run, isBusy, error } = useAction();
  const form = useForm<NewInvitation>({
    mode: 'controlled',
    initialValues: { email: '', role: 'editor' },
    validate: { email: (value) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : 'Enter a valid email address.') },
  });
  const send = async ({ email, role }: NewInvitation) => {
    await sendInvitation(organizationId, { email: email.trim(), role });
    toast.done(`Invitation sent to ${email.trim()}`);
    form.reset();
    void mutate(keys.sentInvitations(organizationId));
  };
  const isLocked = disabledReason !== null;
  return (
    <section aria-label="Invite">
      <h2>Invite</h2>
      <form onSubmit={form.onSubmit((values) => void run(() => send(values)))} className={styles.invite} noValidate>
        <TextInput
          label="Email"
          type="email"
          placeholder="name@company.com"
          autoComplete="off"
          disabled={isLocked}
          className={styles.email}
          {...form.getInputProps('email')}
        />
        <Select
          label="Role"
          className={styles.role}
          data={roleOptions(rolesUpTo(organization?.role ?? 'editor'))}
          value={form.values.role}
          onChange={(role) => isRole(role) && form.setFieldValue('role', role)}
          disabled={isLocked}
          aria-describedby={hintId}
        />
        <Button type="submit" className={styles.send} loading={isBusy} disabled={isLocked} leftSection={<IconMail {...icon} />}>
          Send invitation
        </Button>
      </form>
      <p id={hintId} className={styles.hint}>
        {disabledReason ? <LockedReason>{disabledReason}</LockedReason> : roleMeaning[form.values.role]}
      </p>
      {error !== null && (
        <div className={styles.failure}>
          <ErrorText error={error} />
        </div>
      )}
    </section>
  );
}
