import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { createOrganization } from '../api/accounts';
import { useUser } from './session-context';
import { ErrorText } from '../ui/ErrorNotice';
import { OrganizationLogo } from '../ui/OrganizationLogo';

const isAddress = (value: string): boolean => /^https:\/\/\S+\.\S+$/.test(value);

interface OrganizationFormProps {
  isDefault: boolean;
  submitLabel: string;
  onCreated: (organizationId: string) => void;
}

/** Name and, if wanted, a logo. A failure keeps what was typed. */
export function OrganizationForm({ isDefault, submitLabel, onCreated }: OrganizationFormProps) {
  const user = useUser();
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useForm({
    mode: 'controlled',
    initialValues: { companyName: '', logo: '' },
    validate: {
      companyName: (value) => (value.trim() === '' ? 'Enter the name of your company.' : null),
      logo: (value) => (value.trim() === '' || isAddress(value.trim()) ? null : 'An address that starts with https://'),
    },
  });
  const submit = form.onSubmit(async ({ companyName, logo }) => {
    setBusy(true);
    setFailure(null);
    try {
      const created = await createOrganization({
        companyName: companyName.trim(),
        userId: user.id,
        isDefault,
        company_logo: logo.trim() || undefined,
      });
      onCreated(created.organizationId);
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  });
  const logo = isAddress(form.values.logo.trim()) ? form.values.logo.trim() : null;
  return (
    <form onSubmit={submit} noValidate style={{ display: 'grid', gap: 16 }}>
      {failure !== null && <ErrorText error={failure} />}
      <TextInput
        size="md"
        label="Company name"
        autoComplete="organization"
        data-autofocus
        {...form.getInputProps('companyName')}
      />
      <TextInput
        size="md"
        label="Logo (optional)"
        description="The address of a square picture. Without one, the initials stand in."
        placeholder="https://"
        inputMode="url"
        leftSection={<OrganizationLogo name={form.values.companyName || 'T'} logo={logo} size={20} />}
        {...form.getInputProps('logo')}
      />
      <Button type="submit" size="md" loading={isBusy} style={{ justifySelf: 'start' }}>
        {submitLabel}
      </Button>
    </form>
  );
}
