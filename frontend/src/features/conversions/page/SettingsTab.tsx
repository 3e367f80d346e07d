import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { updateConversion } from '~/api/conversions/conversions';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion } from '~/api/types';
import { GoogleApiChoice } from '~/components/conversion-rules/GoogleApiChoice';
import { MetaEventField } from '~/components/conversion-rules/MetaEventField';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { useVersionedForm } from '~/components/feedback/use-versioned-form';
import { scheduleError, ScheduleFields } from '~/components/schedule/ScheduleFields';
import { googleApiOf } from '~/domain/conversions/google-api';
import { metaEventOf } from '~/domain/conversions/meta-event';
import { sameTarget } from '~/domain/conversions/target-key';
import { paths } from '~/domain/navigation/paths';
import { ActiveSwitch } from '~/features/conversions/ActiveSwitch';
import { DeleteConversionDialog } from '~/features/conversions/DeleteConversionDialog';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { SettingRow } from '~/ui/layout/SettingRow';
import styles from './Tabs.module.css';
import { TargetRow } from './TargetRow';
import { withTarget } from './use-rules-form';

const valuesOf = ({ name, schedule, target }: Conversion) => ({
  name,
  schedule,
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
  const form = useVersionedForm({ latest: conversion, valuesOf, refresh: () => refresh(conversion.id) });
  const { name, schedule, target, eventName } = form.values;
  const save = async () => {
    const isSame = isSameTarget(form.values, conversion.target);
    const rules = isSame ? {} : { rules: withTarget(conversion, { ...target, settings: settingsOf(form.values) }) };
    await form.save((version) =>
      updateConversion(organizationId, conversion.id, { name: name.trim(), schedule, ...rules, version }),
    );
    toast.done('Settings saved');
  };
  const missing =
    name.trim() === '' ? 'Enter a name' : eventName?.trim() === '' ? 'Enter an event name' : scheduleError(schedule);
  return { form, missing, save: () => void form.run(save) };
}

export function SettingsTab({ conversion }: { conversion: Conversion }) {
  const disabledReason = usePermissionGate('conversions.write');
  const isLocked = disabledReason !== null;
  const { form, missing, save } = useSettings(conversion);
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
