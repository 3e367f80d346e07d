import { Select, TagsInput, TextInput } from '@mantine/core';
import { useCatalog } from '~/api/catalog';
import type { Connection } from '~/api/types';
import { FRESHNESS_HINT, FreshnessField } from '~/components/schedule/FreshnessField';
import { LookbackField } from '~/components/schedule/LookbackField';
import { ScheduleFields } from '~/components/schedule/ScheduleFields';
import { EMPTY_POLICIES, SCHEMA_POLICIES } from '~/domain/connections/policies';
import { SettingRow } from '~/ui/layout/SettingRow';
import { StreamSettings } from './StreamSettings';
import type { Settings } from './use-settings';

/** The connector's explanation of the automatic lookback window. */
function useLookbackReason({ source, streams }: Connection): string | null {
  const { data } = useCatalog();
  const selected = streams.filter((stream) => stream.isSelected).map((stream) => stream.name);
  const connector = data?.connectors.find(({ provider }) => provider === source.provider);
  return connector?.streams.find((stream) => selected.includes(stream.name))?.lookbackReason ?? null;
}

interface FieldsProps {
  connection: Connection;
  form: Settings;
  isLocked: boolean;
}

function PolicyFields({ form: { values, change }, isLocked }: Omit<FieldsProps, 'connection'>) {
  return (
    <>
      <SettingRow
        title="Schema changes"
        field="schemaPolicy"
        hint="When the source offers other columns or streams. A changed table always fails runs."
      >
        <Select
          aria-label="Schema changes"
          data={SCHEMA_POLICIES.map(({ value, label }) => ({ value, label }))}
          allowDeselect={false}
          disabled={isLocked}
          value={values.schemaPolicy}
          onChange={(schemaPolicy) => schemaPolicy && change({ schemaPolicy })}
        />
      </SettingRow>
      <SettingRow title="Days without rows" field="emptyPolicy" hint="Otherwise such a day is not verified and is read again.">
        <Select
          aria-label="Days without rows"
          data={EMPTY_POLICIES.map(({ value, label }) => ({ value, label }))}
          allowDeselect={false}
          disabled={isLocked}
          value={values.emptyPolicy}
          onChange={(emptyPolicy) => emptyPolicy && change({ emptyPolicy })}
        />
      </SettingRow>
    </>
  );
}

const NameFields = ({ form: { values, rejected, change }, isLocked }: Omit<FieldsProps, 'connection'>) => (
  <>
    <SettingRow title="Name" field="name">
      <TextInput
        aria-label="Name"
        maxLength={120}
        disabled={isLocked}
        value={values.name}
        error={values.name.trim() === '' ? 'Enter a name' : rejected.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
    </SettingRow>
    <SettingRow title="Tags" field="tags" hint="Up to 20. The list of connections can be filtered by a tag.">
      <TagsInput
        aria-label="Tags"
        placeholder={values.tags.length === 0 ? 'Type a tag and press Enter' : undefined}
        maxTags={20}
        maxLength={40}
        disabled={isLocked}
        error={rejected.tags}
        value={values.tags}
        onChange={(tags) => change({ tags })}
      />
    </SettingRow>
  </>
);

/** All settings that are saved together. */
export function SettingsFields({ connection, form, isLocked }: FieldsProps) {
  const { values, rejected, change } = form;
  const lookbackReason = useLookbackReason(connection);
  return (
    <>
      <NameFields form={form} isLocked={isLocked} />
      <SettingRow
        title="Streams"
        field="streams"
        isWide
        hint="A new stream loads its full history. A new field is filled from the days that are read again."
      >
        <StreamSettings
          connection={connection}
          chosen={values.streams}
          leftOut={values.leftOut}
          onChange={(streams) => change({ streams })}
          onLeaveOut={(leftOut) => change({ leftOut })}
          isLocked={isLocked}
        />
        {values.streams.length === 0 && <p role="alert">Select at least one stream</p>}
      </SettingRow>
      <SettingRow
        title="Schedule"
        field="schedule"
        hint="Runs never overlap. A delayed run also loads the days that were missed."
      >
        <ScheduleFields
          schedule={values.schedule}
          rejection={rejected.schedule}
          isLocked={isLocked}
          nextRunAt={JSON.stringify(values.schedule) === JSON.stringify(connection.schedule) ? connection.nextRunAt : null}
          onChange={(schedule) => change({ schedule })}
        />
      </SettingRow>
      <SettingRow
        title="Lookback window"
        field="lookbackDays"
        hint="Days that are read again once a day, because ad platforms restate them. Every run reads the last 3 days."
      >
        <LookbackField
          lookbackDays={values.lookbackDays}
          automaticDays={null}
          reason={lookbackReason}
          isLocked={isLocked}
          onChange={(days) => change({ lookbackDays: days })}
        />
      </SettingRow>
      <SettingRow title="Freshness target" field="freshnessTarget" hint={FRESHNESS_HINT}>
        <FreshnessField
          target={values.freshnessTarget}
          timeZone={values.schedule.timeZone}
          isLocked={isLocked}
          onChange={(target) => change({ freshnessTarget: target })}
        />
      </SettingRow>
      <PolicyFields form={form} isLocked={isLocked} />
    </>
  );
}
