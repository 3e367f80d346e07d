import { Button, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import { isConflict } from '~/api/http/problem';
import type { Organization } from '~/api/types';
import { useUnsavedChanges } from '~/lib/unsaved-changes';
import { useAction } from '~/lib/use-action';
import { usePermissionGate } from '~/session/permissions';
import { ErrorText } from '~/components/feedback/ErrorText';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { LogoField } from '~/components/organization/LogoField';
import { SettingRow } from '~/ui/layout/SettingRow';
import { toast } from '~/components/feedback/toast';
import { Conflict } from './Conflict';
import { changeOf, currencyOptions, timeZoneOptions, valuesOf } from './general-values';
import type { GeneralValues } from './general-values';
import { useSaveOrganization } from './use-save-organization';
import styles from './GeneralForm.module.css';

const MOST_CHARACTERS = 120;

interface GeneralFormProps {
  /** Values the form was opened with. */
  base: Organization;
  /** Current values on the server. */
  latest: Organization;
  onTyped: () => void;
  onSettled: () => void;
}

interface FieldsProps {
  form: UseFormReturnType<GeneralValues>;
  base: Organization;
  isLocked: boolean;
}

const Fields = ({ form, base, isLocked }: FieldsProps) => (
  <>
    <SettingRow title="Name" hint="Shown to all members and in invitations.">
      <TextInput aria-label="Name" maxLength={MOST_CHARACTERS} disabled={isLocked} {...form.getInputProps('name')} />
    </SettingRow>
    <SettingRow title="Logo" hint="Square PNG, JPEG or WebP image, up to 200 kB.">
      <LogoField
        name={form.values.name}
        logo={form.values.logo}
        isLocked={isLocked}
        onChange={(logo) => form.setFieldValue('logo', logo)}
      />
    </SettingRow>
    <SettingRow
      title="Currency"
      hint="Used in reports. Converted costs in ad_performance_daily are loaded again after a change. All other amounts keep the currency of their ad account."
    >
      <Select
        aria-label="Currency"
        searchable
        className={styles.select}
        data={currencyOptions(base.currency)}
        disabled={isLocked}
        {...form.getInputProps('currency')}
      />
    </SettingRow>
    <SettingRow
      title="Time zone"
      hint="Used for usage, the days of runs in charts, and the weekly summary. Each schedule has a time zone of its own."
    >
      <Select
        aria-label="Time zone"
        searchable
        className={styles.select}
        limit={200}
        data={timeZoneOptions(base.timeZone)}
        disabled={isLocked}
        {...form.getInputProps('timeZone')}
      />
    </SettingRow>
  </>
);

export function GeneralForm({ base, latest, onTyped, onSettled }: GeneralFormProps) {
  const disabledReason = usePermissionGate('organization.write');
  const save = useSaveOrganization(latest.id);
  const { run, isBusy, error } = useAction();
  const form = useForm<GeneralValues>({
    mode: 'controlled',
    initialValues: valuesOf(base),
    onValuesChange: onTyped,
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter the name of your organization' : null),
    },
  });
  const store = (values: GeneralValues, over: Organization) =>
    run(async () => {
      try {
        await save.store(changeOf(values, over));
      } catch (failure) {
        if (isConflict(failure)) await save.refresh();
        throw failure;
      }
      toast.done('Settings saved');
      onSettled();
    });
  const isLocked = disabledReason !== null;
  useUnsavedChanges(form.isDirty());
  return (
    <form onSubmit={form.onSubmit((values) => void store(values, base))} className={styles.form} noValidate>
      {isConflict(error) ? (
        <Conflict before={base} after={latest} onTakeTheirs={onSettled} onKeepMine={() => void store(form.values, latest)} />
      ) : (
        error !== null && <ErrorText error={error} />
      )}
      <Fields form={form} base={base} isLocked={isLocked} />
      <div className={styles.save}>
        <Button type="submit" loading={isBusy} disabled={isLocked || !form.isDirty()}>
          Save settings
        </Button>
        {disabledReason && <LockedReason>{disabledReason}</LockedReason>}
      </div>
    </form>
  );
}
