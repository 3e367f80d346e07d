import { Radio, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { createConversion } from '~/api/conversions/conversions';
import type { ConversionDraft } from '~/api/conversions/conversion-draft';
import { keysOf } from '~/api/http/keys';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { ScheduleFields, startingSchedule } from '~/components/schedule/ScheduleFields';
import { paths } from '~/domain/navigation/paths';
import { addDays, localDay, readerTimeZone } from '~/lib/dates';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { SettingRow } from '~/ui/layout/SettingRow';
import { WizardFooter } from '~/ui/layout/WizardFooter';
import type { StepProps } from './step-props';
import { newConversionOf, stepNeeds } from './steps';

/** The default range of earlier events. Platforms reject older ones. */
const STARTING_DAYS = 7;

const nameOf = ({ source, target }: ConversionDraft): string => `${source?.name ?? ''} to ${target?.name ?? ''}`.slice(0, 120);

function useStartingValues({ draft, onChange }: StepProps): void {
  const { schedule, isNameTyped, name } = draft;
  const startingName = nameOf(draft);
  useEffect(() => {
    if (schedule === null) onChange({ schedule: startingSchedule('interval', readerTimeZone()) });
    if (!isNameTyped && name !== startingName) onChange({ name: startingName });
  }, [schedule, isNameTyped, name, startingName, onChange]);
}

function useCreation({ draft, onFinished }: StepProps) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const { run, isBusy, error } = useAction({ leavesPage: true });
  const create = async () => {
    const body = newConversionOf(draft);
    if (!body) return;
    const conversion = await createConversion(organizationId, body);
    toast.done(`${conversion.name} created, first run started`);
    await navigate(paths.conversion(organizationId, conversion.id));
    onFinished();
    void mutate(keysOf(organizationId, 'conversions'));
  };
  return { create: () => void run(create), isBusy, error };
}

function Since({ since, onChange }: { since: string | null; onChange: (since: string | null) => void }) {
  const startingDay = addDays(localDay(new Date()), -STARTING_DAYS);
  return (
    <Radio.Group
      name="since"
      aria-label="Events to send"
      value={since === null ? 'now' : 'day'}
      onChange={(value) => onChange(value === 'now' ? null : startingDay)}
    >
      <div style={{ display: 'grid', gap: 12 }}>
        <Radio value="now" label="From now on" description="Only events that occur after the activation." />
        <Radio value="day" label="Also earlier events" description="Events that are too old for the platform are not sent." />
        {since !== null && (
          <TextInput
            w={180}
            type="date"
            aria-label="First day"
            value={since}
            max={localDay(new Date())}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )}
      </div>
    </Radio.Group>
  );
}

export function ActivateStep(props: StepProps) {
  const { draft, onChange, onGo } = props;
  useStartingValues(props);
  const { create, isBusy, error } = useCreation(props);
  return (
    <>
      {error !== null && <ErrorText error={error} />}
      <SettingRow title="Name">
        <TextInput
          aria-label="Name"
          value={draft.name}
          maxLength={120}
          onChange={(event) => onChange({ name: event.currentTarget.value, isNameTyped: true })}
        />
      </SettingRow>
      <SettingRow title="Schedule" hint="Runs never overlap.">
        {draft.schedule && <ScheduleFields schedule={draft.schedule} onChange={(schedule) => onChange({ schedule })} />}
      </SettingRow>
      <SettingRow title="Events to send" hint="The first run starts automatically.">
        <Since since={draft.since} onChange={(since) => onChange({ since })} />
      </SettingRow>
      <WizardFooter
        savedAt={draft.savedAt}
        onBack={() => onGo('preview')}
        onNext={create}
        nextLabel="Activate conversion"
        isLast
        isBusy={isBusy}
        disabledReason={stepNeeds('activate', draft)}
      />
    </>
  );
}
