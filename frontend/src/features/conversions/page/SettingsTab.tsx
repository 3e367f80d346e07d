import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { updateConversion } from '~/api/conversions/conversions';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion } from '~/api/types';
import { GoogleApiChoice } from '~/components/conversion-rules/GoogleApiChoice';
import { MetaEventField } from '~/components/conversion-rules/MetaEventField';
import { sourceErrors } from '~/components/conversion-rules/SourceFields';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { rejectedFields } from '~/components/destination-form/form-values';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { useVersionedForm } from '~/components/feedback/use-versioned-form';
import { scheduleError, ScheduleFields } from '~/components/schedule/ScheduleFields';
import { googleApiOf } from '~/domain/conversions/google-api';
import { metaEventOf } from '~/domain/conversions/meta-event';
import { sameTarget } from '~/domain/conversions/target-key';
import { initialValues, toPayload } from '~/domain/destinations/json-schema';
import type { SchemaField } from '~/domain/destinations/json-schema';
import { paths } from '~/domain/navigation/paths';
import { ActiveSwitch } from '~/features/conversions/ActiveSwitch';
import { DeleteConversionDialog } from '~/features/conversions/DeleteConversionDialog';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { SettingRow } from '~/ui/layout/SettingRow';
import styles from './Tabs.module.css';
import { SourceRow, useSourceFields } from './SourceRow';
import { TargetRow } from './TargetRow';
import { withEnds } from './use-rules-form';

const valuesOf = ({ name, schedule, source, target }: Conversion, sourceFields: SchemaField[]) => ({
  name,
  schedule,
  source: initialValues(sourceFields, source.settings),
  target: { name: target.name, settings: target.settings },
  api: googleApiOf(target.settings),
  eventName: metaEventOf(target.settings),
});

type Values = ReturnType<typeof valuesOf>;

const isSameTarget = ({ target, api, eventName }: Values, saved: Conversion['target']): boolean =>
  api === googleApiOf(saved.settings) && eventName === metaEventOf(saved.settings) && sameTarget(target, saved);

/** The settings of the target, with the choices that have fields of their own. */
const settingsOf = ({ target, api, eventName }: Values) => ({
  ...target.settings,
  ...(api !== null && { api }),
  ...(eventName !== null && { eventName: eventName.trim() }),
});

function Removal({ conversion, isLocked }: { conversion: Conversion; isLocked: boolean }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <SettingRow title="Delete" hint="Events that the platform took stay there.">
      <Button
        variant="default"
        c={isLocked ? undefined : 'var(--t-danger)'}
        disabled={isLocked}
        onClick={() => setDeleting(true)}
      >
        Delete conversion
      </Button>
      {isDeleting && (
        <DeleteConversionDialog
          conversion={conversion}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate(paths.conversions(organizationId))}
        />
      )}
    </SettingRow>
  );
}

function useSettings(conversion: Conversion) {
  const organizationId = useOrganizationId();
  const { refresh } = useConversionActions(organizationId);
  const sourceFields = useSourceFields(conversion);
  const form = useVersionedForm({
    latest: conversion,
    valuesOf: (item: Conversion) => valuesOf(item, sourceFields),
    refresh: () => refresh(conversion.id),
  });
  const { name, schedule, target, eventName } = form.values;
  const savedSource = initialValues(sourceFields, conversion.source.settings);
  // The fields may be loaded after the first edit.
  const source = { ...savedSource, ...form.values.source };
  const errors = sourceErrors(conversion.source.provider, sourceFields, source);
  const save = async () => {
    const isSameSource = JSON.stringify(source) === JSON.stringify(savedSource);
    const ends = {
      source: isSameSource ? conversion.source.settings : toPayload(sourceFields, source),
      target: { ...target, settings: settingsOf(form.values) },
    };
    const isSame = isSameSource && isSameTarget(form.values, conversion.target);
    const rules = isSame ? {} : { rules: withEnds(conversion, ends) };
    await form.save((version) =>
      updateConversion(organizationId, conversion.id, { name: name.trim(), schedule, ...rules, version }),
    );
    toast.done('Settings saved');
  };
  const missing =
    (name.trim() === '' ? 'Enter a name' : eventName?.trim() === '' ? 'Enter an event name' : scheduleError(schedule)) ??
    Object.values(errors).find((error) => error !== null) ??
    null;
  return { form, sourceFields, source, errors, missing, save: () => void form.run(save) };
}

interface EndRowsProps {
  conversion: Conversion;
  state: ReturnType<typeof useSettings>;
  isLocked: boolean;
}

/** Where events are read, and what receives them. */
function EndRows({ conversion, state: { form, sourceFields, source, errors }, isLocked }: EndRowsProps) {
  const { values, change } = form;
  return (
    <>
      {sourceFields.length > 0 && (
        <SourceRow
          provider={conversion.source.provider}
          fields={sourceFields}
          values={source}
          errors={{ ...errors, ...rejectedFields(form.failure) }}
          isLocked={isLocked}
          onChange={(next) => change({ source: next })}
        />
      )}
      <TargetRow conversion={conversion} value={values.target} isLocked={isLocked} onChange={(target) => change({ target })} />
      {values.api !== null && (
        <SettingRow title="API" hint="How events reach Google Ads. Events that wait are sent by the chosen one.">
          <GoogleApiChoice value={values.api} isLocked={isLocked} onChange={(api) => change({ api })} />
        </SettingRow>
      )}
      {values.eventName !== null && (
        <SettingRow title="Event" hint="Events that wait are sent with the new name.">
          <MetaEventField value={values.eventName} isLocked={isLocked} onChange={(eventName) => change({ eventName })} />
        </SettingRow>
      )}
    </>
  );
}

export function SettingsTab({ conversion }: { conversion: Conversion }) {
  const disabledReason = usePermissionGate('conversions.write');
  const isLocked = disabledReason !== null;
  const state = useSettings(conversion);
  const { form, missing, save } = state;
  const { values, change, conflict } = form;
  return (
    <div className={styles.form}>
      {form.failure !== null && <ErrorText error={form.failure} />}
      {conflict.isOpen && (
        <ConflictNotice what="this conversion" onTakeTheirs={conflict.takeTheirs} onKeepMine={conflict.keepMine} />
      )}
      <SettingRow title="Name">
        <TextInput
          aria-label="Name"
          value={values.name}
          maxLength={120}
          disabled={isLocked}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </SettingRow>
      <SettingRow title="Schedule" hint="Runs never overlap.">
        <ScheduleFields schedule={values.schedule} isLocked={isLocked} onChange={(schedule) => change({ schedule })} />
      </SettingRow>
      <EndRows conversion={conversion} state={state} isLocked={isLocked} />
      <div className={styles.save}>
        <GatedButton
          disabledReason={disabledReason}
          waitsFor={missing ?? (form.isSame ? 'No changes' : null)}
          loading={form.isBusy}
          onClick={save}
        >
          Save settings
        </GatedButton>
      </div>
      <SettingRow
        title="Pause"
        hint="Nothing is read or sent while paused. Events that are not too old are sent after you resume."
      >
        <span className={styles.pause}>
          <ActiveSwitch conversion={conversion} /> {conversion.desired === 'active' ? 'Enabled' : 'Paused'}
        </span>
      </SettingRow>
      <Removal conversion={conversion} isLocked={isLocked} />
    </div>
  );
}
