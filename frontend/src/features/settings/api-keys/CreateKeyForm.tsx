import { Button, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconKey } from '@tabler/icons-react';
import { useSWRConfig } from 'swr';
import { createApiKey } from '~/api/api-keys';
import { keys } from '~/api/http/keys';
import { useOrganizationProfile } from '~/api/organization';
import type { NewApiKey } from '~/api/types';
import { roleOptions, rolesUpTo } from '~/domain/accounts/roles';
import { useUnsavedChanges } from '~/lib/unsaved-changes';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { ErrorText } from '~/components/feedback/ErrorText';
import { icon } from '~/ui/icon';
import { LockedReason } from '~/ui/feedback/LockedReason';
import styles from './ApiKeys.module.css';
import { DEFAULT_LIFETIME, expiryOf, LIFETIMES } from './lifetimes';

interface Values {
  name: string;
  role: NewApiKey['role'];
  lifetime: string;
}

const isKeyRole = (value: string | null): value is NewApiKey['role'] =>
  value === 'viewer' || value === 'editor' || value === 'admin';

export function CreateKeyForm({ onCreated }: { onCreated: (key: string) => void }) {
  const organizationId = useOrganizationId();
  const { data: organization } = useOrganizationProfile(organizationId);
  const disabledReason = usePermissionGate('apiKeys.write');
  const { mutate } = useSWRConfig();
  const { run, isBusy, error } = useAction({ leavesPage: true });
  const isLocked = disabledReason !== null;
  const roles = rolesUpTo(organization?.role ?? 'viewer').filter(isKeyRole);
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: { name: '', role: 'viewer', lifetime: DEFAULT_LIFETIME },
    validate: { name: (value) => (value.trim() === '' ? 'Enter a name' : null) },
  });
  useUnsavedChanges(form.isDirty());
  const create = async ({ name, role, lifetime }: Values) => {
    const created = await createApiKey(organizationId, { name: name.trim(), role, expiresAt: expiryOf(lifetime, new Date()) });
    void mutate(keys.apiKeys(organizationId));
    onCreated(created.key);
  };
  return (
    <section aria-label="New key">
      <h2>New key</h2>
      <form onSubmit={form.onSubmit((values) => void run(() => create(values)))} className={styles.create} noValidate>
        <TextInput
          label="Name"
          placeholder="e.g. dbt nightly job"
          maxLength={120}
          autoComplete="off"
          disabled={isLocked}
          className={styles.name}
          {...form.getInputProps('name')}
        />
        <Select
          label="Role"
          data={roleOptions(roles)}
          disabled={isLocked}
          value={form.values.role}
          onChange={(role) => isKeyRole(role) && form.setFieldValue('role', role)}
        />
        <Select label="Expires" data={LIFETIMES} disabled={isLocked} {...form.getInputProps('lifetime')} />
        <Button type="submit" className={styles.submit} loading={isBusy} disabled={isLocked} leftSection={<IconKey {...icon} />}>
          Create key
        </Button>
      </form>
      <p className={styles.hint}>
        {disabledReason ? (
          <LockedReason>{disabledReason}</LockedReason>
        ) : (
          'A key has at most your own role and cannot change members or keys. It’s revoked when you leave the organization or your role is lowered.'
        )}
      </p>
      {error !== null && <ErrorText error={error} />}
    </section>
  );
}
