import { Button } from '@mantine/core';
import type { Conversion } from '~/api/types';
import { ConsentFields } from '~/components/conversion-rules/ConsentFields';
import { FilterFields } from '~/components/conversion-rules/FilterFields';
import { MappingFields } from '~/components/conversion-rules/MappingFields';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { consentNeeds, filterNeeds } from '~/domain/conversions/rules';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { SettingRow } from '~/ui/layout/SettingRow';
import styles from './Tabs.module.css';
import { useRulesForm } from './use-rules-form';

type RulesForm = ReturnType<typeof useRulesForm>;

function SaveLine({ state, disabledReason }: { state: RulesForm; disabledReason: string | null }) {
  const { form, save } = state;
  const missing = consentNeeds(form.values) ?? filterNeeds(form.values.filter);
  return (
    <div className={styles.save}>
      <GatedButton
        disabledReason={disabledReason}
        waitsFor={missing ?? (form.isSame ? 'No changes' : null)}
        loading={form.isBusy}
        onClick={() => void save()}
      >
        Save rules
      </GatedButton>
    </div>
  );
}

const Problems = ({ form }: Pick<RulesForm, 'form'>) => (
  <>
    {form.failure !== null && <ErrorText error={form.failure} />}
    {form.conflict.isOpen && (
      <ConflictNotice what="this conversion" onTakeTheirs={form.conflict.takeTheirs} onKeepMine={form.conflict.keepMine} />
    )}
  </>
);

function Fields({ state, isLocked }: { state: RulesForm; isLocked: boolean }) {
  const { sample, hasFields, fields } = state;
  return (
    <SettingRow title="Fields" hint="The lists show the mapped fields. Load the others from the newest records.">
      <Button variant="default" loading={sample.isBusy} disabled={isLocked} onClick={sample.load}>
        Load fields
      </Button>
      {hasFields && <p className="label">{fields.length} fields found</p>}
      {sample.error !== null && <ErrorText error={sample.error} />}
    </SettingRow>
  );
}

export function MappingTab({ conversion }: { conversion: Conversion }) {
  const state = useRulesForm(useOrganizationId(), conversion);
  const disabledReason = usePermissionGate('conversions.write');
  const isLocked = disabledReason !== null;
  const { values, change } = state.form;
  return (
    <div className={styles.form}>
      <Problems form={state.form} />
      <Fields state={state} isLocked={isLocked} />
      <SettingRow title="Filter" hint="A record must meet all conditions.">
        <FilterFields
          filter={values.filter}
          fields={state.fields}
          isLocked={isLocked}
          onChange={(filter) => change({ filter })}
        />
      </SettingRow>
      <MappingFields
        rules={values}
        fields={state.fields}
        taken={conversion.target.identifiers}
        isLocked={isLocked}
        onChange={change}
      />
      <SaveLine state={state} disabledReason={disabledReason} />
    </div>
  );
}

export function ConsentTab({ conversion }: { conversion: Conversion }) {
  const state = useRulesForm(useOrganizationId(), conversion);
  const disabledReason = usePermissionGate('conversions.write');
  const isLocked = disabledReason !== null;
  const { values, change } = state.form;
  return (
    <div className={styles.form}>
      <Problems form={state.form} />
      <ConsentFields
        rules={values}
        fields={state.fields}
        isLocked={isLocked}
        onChange={change}
        refunds={null}
        removesDuplicates={null}
      />
      <Fields state={state} isLocked={isLocked} />
      <SaveLine state={state} disabledReason={disabledReason} />
    </div>
  );
}
