import { SegmentedControl, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { useCatalog } from '../../api/apps';
import { useDestination } from '../../api/destinations';
import { useSource } from '../../api/sources';
import type { CatalogStream, Destination, Source } from '../../api/types';
import { addDays, daysBetween, formatDay, localDay, readerTimeZone } from '../../lib/dates';
import { plural } from '../../lib/numbers';
import { useNow } from '../../lib/use-now';
import { useOrganizationId } from '../../session/organization-context';
import { TableBones } from '../../ui/Bone';
import { ErrorNotice } from '../../ui/ErrorNotice';
import { LookbackField } from '../../ui/LookbackField';
import { providerName, RouteMarks } from '../../ui/ProviderMark';
import { ScheduleFields, startingSchedule } from '../../ui/ScheduleFields';
import { SettingRow } from '../../ui/SettingRow';
import type { StepProps } from './step-props';
import { isStepDone } from './steps';
import styles from './Steps.module.css';
import { StreamTable } from './StreamTable';
import { WizardFooter } from './WizardFooter';

/** How far back a first load reaches unless somebody says otherwise. */
const STARTING_HISTORY_DAYS = 90;
const PRESETS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
];

function Route({ source, destination }: { source: Source; destination: Destination }) {
  return (
    <div className={styles.route}>
      <RouteMarks from={source.provider} to={destination.provider} />
      <span>
        {providerName(source.provider)}, {plural(source.accounts.length, 'account')}
      </span>
      <span className="quiet">to</span>
      <code>{destination.target}</code>
    </div>
  );
}

function History({ historyFrom, onChange }: { historyFrom: string; onChange: (day: string) => void }) {
  const now = useNow(300_000);
  const today = localDay(now);
  const days = daysBetween(historyFrom, today);
  return (
    <>
      <div className={styles.line}>
        <TextInput
          w={160}
          type="date"
          max={addDays(today, -1)}
          value={historyFrom}
          onChange={(event) => event.currentTarget.value && onChange(event.currentTarget.value)}
          aria-label="History from"
        />
        <SegmentedControl
          data={PRESETS}
          value={PRESETS.find(({ value }) => Number(value) === days)?.value ?? ''}
          onChange={(value) => onChange(addDays(today, -Number(value)))}
          aria-label="History from, presets"
        />
      </div>
      <p className={styles.note}>
        From {formatDay(historyFrom, now)} to yesterday: {plural(days, 'day')} of each account.
      </p>
    </>
  );
}

/** What a draft starts with, once the catalog and the source are known. */
function useStartingValues(
  { draft, onChange }: StepProps,
  source: Source | undefined,
  streams: CatalogStream[] | undefined,
): void {
  const isReady = source !== undefined && streams !== undefined;
  const isFilled = draft.streams !== null && draft.schedule !== null && draft.historyFrom !== null;
  useEffect(() => {
    if (!isReady || isFilled) return;
    onChange({
      name: draft.name || source.name,
      streams: draft.streams ?? startingStreams(streams),
      schedule: draft.schedule ?? startingSchedule('interval', readerTimeZone()),
      historyFrom: draft.historyFrom ?? addDays(localDay(new Date()), -STARTING_HISTORY_DAYS),
    });
  }, [isReady, isFilled, onChange, draft, source, streams]);
}

/** What most people begin with: campaigns and ad groups as a whole. Finer reports are many times larger. */
function startingStreams(streams: CatalogStream[]): string[] {
  const usual = streams.filter(
    ({ level, breakdowns }) => (level === 'campaign' || level === 'ad_group') && breakdowns.length === 0,
  );
  return (usual.length > 0 ? usual : streams).map(({ name }) => name);
}

export function ConfigureStep(props: StepProps) {
  const { draft, onChange, onGo } = props;
  const organizationId = useOrganizationId();
  const source = useSource(organizationId, draft.sourceId ?? '');
  const destination = useDestination(organizationId, draft.destinationId);
  const catalog = useCatalog();
  const connector = catalog.data?.connectors.find(({ provider }) => provider === source.data?.provider);
  useStartingValues(props, source.data, connector?.streams);
  const error: unknown = source.error ?? destination.error ?? catalog.error;
  if (error !== undefined)
    return (
      <ErrorNotice
        error={error}
        title="The settings could not be fetched"
        onRetry={() => void Promise.all([source.mutate(), destination.mutate(), catalog.mutate()])}
      />
    );
  if (!source.data || !destination.data || !connector || !draft.streams || !draft.schedule || !draft.historyFrom)
    return <TableBones label="Loading settings" rows={5} widths={[160, '60%']} />;
  const chosen = connector.streams.filter(({ name }) => draft.streams?.includes(name));
  return (
    <>
      <Route source={source.data} destination={destination.data} />
      <SettingRow title="Name">
        <TextInput
          aria-label="Name"
          value={draft.name}
          error={draft.name.trim() === '' ? 'A connection needs a name' : null}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </SettingRow>
      <SettingRow title="Streams" hint="What to bring. Each becomes a table.">
        <StreamTable
          streams={connector.streams}
          prefix={String(destination.data.settings.tablePrefix ?? '')}
          chosen={draft.streams}
          onChange={(streams) => onChange({ streams })}
        />
      </SettingRow>
      <SettingRow title="Schedule" hint="Runs never overlap; a late run takes over what it missed.">
        <ScheduleFields schedule={draft.schedule} onChange={(schedule) => onChange({ schedule })} />
      </SettingRow>
      <SettingRow title="Look-back" hint="How far each run reads again, because ad platforms restate recent days.">
        <LookbackField
          lookbackDays={draft.lookbackDays}
          automaticDays={null}
          reason={chosen[0]?.lookbackReason ?? null}
          onChange={(lookbackDays) => onChange({ lookbackDays })}
        />
      </SettingRow>
      <SettingRow title="History from" hint="The first load begins by itself.">
        <History historyFrom={draft.historyFrom} onChange={(historyFrom) => onChange({ historyFrom })} />
      </SettingRow>
      <WizardFooter
        savedAt={draft.savedAt}
        onBack={() => onGo('destination')}
        onNext={() => onGo('review')}
        nextLabel="Review"
        closedBecause={isStepDone('configure', draft) ? null : draft.name.trim() === '' ? 'Give it a name' : 'Choose a stream'}
      />
    </>
  );
}
