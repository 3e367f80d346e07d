import { Button, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSWRConfig } from 'swr';
import { keys, keysOf } from '~/api/http/keys';
import { createWebhook } from '~/api/notifications';
import type { NewWebhook } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { useUnsavedChanges } from '~/lib/unsaved-changes';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import styles from './Webhooks.module.css';

const KINDS = [
  { value: 'signed', label: 'Signed webhook' },
  { value: 'slack', label: 'Slack' },
];

export function CreateWebhookForm({ onSecret }: { onSecret: (secret: string) => void }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { run, isBusy, error } = useAction();
  const form = useForm<NewWebhook>({
    mode: 'controlled',
    initialValues: { kind: 'signed', name: '', url: '' },
    validate: {
      name: (value) => (value.trim() === '' ? 'Enter a name' : null),
      url: (value) => (value.trim().startsWith('https://') ? null : 'Enter an https address'),
    },
  });
  useUnsavedChanges(form.isDirty());
  const create = async (values: NewWebhook) => {
    const { secret } = await createWebhook(organizationId, values);
    void mutate(keysOf(organizationId, 'notificationRules'));
    await mutate(keys.webhooks(organizationId));
    form.reset();
    toast.done(`${values.name.trim()} created`);
    if (secret !== null) onSecret(secret);
  };
  return (
    <section aria-label="New webhook">
      <h2>New webhook</h2>
      <form onSubmit={form.onSubmit((values) => void run(() => create(values)))} className={styles.create} noValidate>
        <Select
          label="Kind"
          data={KINDS}
          allowDeselect={false}
          value={form.values.kind}
          onChange={(kind) => form.setFieldValue('kind', kind === 'slack' ? 'slack' : 'signed')}
        />
        <TextInput label="Name" maxLength={120} autoComplete="off" {...form.getInputProps('name')} />
        <TextInput
          label={form.values.kind === 'slack' ? 'Incoming webhook URL' : 'URL'}
          placeholder="https://"
          maxLength={2_000}
          autoComplete="off"
          {...form.getInputProps('url')}
        />
        <Button type="submit" className={styles.submit} loading={isBusy}>
          Create webhook
        </Button>
      </form>
      <p className={styles.hint}>It receives all alerts. Choose fewer in Notifications.</p>
      {error !== null && <ErrorText error={error} />}
    </section>
  );
}
