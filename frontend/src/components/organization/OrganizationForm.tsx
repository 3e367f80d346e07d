import { Button, Checkbox, Input, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { focusFirstError } from '~/lib/focus-first-error';
import { useUnsavedChanges } from '~/lib/unsaved-changes';
import { useAction } from '~/lib/use-action';
import { createOrganization } from '~/api/accounts';
import { useUser } from '~/session/session-context';
import { ErrorText } from '~/components/feedback/ErrorText';
import { LogoField } from './LogoField';

interface OrganizationValues {
  companyName: string;
  logo: string | null;
  isDefault: boolean;
}

interface OrganizationFormProps {
  /** The initial choice. */
  isDefault: boolean;
  submitLabel: string;
  /** Leaves the form. The button stays busy until then, so that a second click cannot create another organization. */
  onCreated: (organizationId: string) => unknown;
}

/** The form for a new organization. A failure keeps the input. */
export function OrganizationForm({ isDefault, submitLabel, onCreated }: OrganizationFormProps) {
  const user = useUser();
  const { run, isBusy, error } = useAction({ leavesPage: true });
  const form = useForm<OrganizationValues>({
    mode: 'controlled',
    initialValues: { companyName: '', logo: null, isDefault },
    validate: {
      companyName: (value) => (value.trim() === '' ? 'Enter the name of your company.' : null),
    },
  });
  const endGuard = useUnsavedChanges(form.isDirty());
  const create = async ({ companyName, logo, ...values }: OrganizationValues) => {
    const created = await createOrganization({
      companyName: companyName.trim(),
      userId: user.id,
      isDefault: values.isDefault,
      company_logo: logo ?? undefined,
    });
    endGuard();
    await onCreated(created.organizationId);
  };
  const submit = form.onSubmit((values) => void run(() => create(values)), focusFirstError);
  return (
    <form onSubmit={submit} noValidate style={{ display: 'grid', gap: 16 }}>
      {error !== null && <ErrorText error={error} />}
      <TextInput
        size="md"
        label="Company name"
        autoComplete="organization"
        data-autofocus
        autoFocus
        {...form.getInputProps('companyName')}
      />
      <Input.Wrapper
        size="md"
        labelElement="div"
        label="Logo (optional)"
        description="Square PNG, JPEG or WebP image, at most 200 kB. We’ll use your initials if empty."
        inputWrapperOrder={['label', 'input', 'description']}
      >
        <LogoField
          name={form.values.companyName || 'T'}
          logo={form.values.logo}
          onChange={(logo) => form.setFieldValue('logo', logo)}
        />
      </Input.Wrapper>
      <Checkbox
        label="Default organization"
        description="It is listed first and opens when a link names no organization."
        {...form.getInputProps('isDefault', { type: 'checkbox' })}
      />
      <Button type="submit" size="md" loading={isBusy} style={{ justifySelf: 'start' }}>
        {submitLabel}
      </Button>
    </form>
  );
}
