import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useStreamVolumes } from '~/api/connections/estimates';
import { useCatalog } from '~/api/catalog';
import { useDestination } from '~/api/destinations';
import { isNotFound } from '~/api/http/problem';
import { useSource, useSourceWindows } from '~/api/sources';
import type { CatalogStream, Destination, Source } from '~/api/types';
import { readerTimeZone } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { useMay } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { FRESHNESS_HINT, FreshnessField } from '~/components/schedule/FreshnessField';
import { LookbackField } from '~/components/schedule/LookbackField';
import { providerName, RouteMarks } from '~/components/status/ProviderMark';
import { ScheduleFields } from '~/components/schedule/ScheduleFields';
import { SettingRow } from '~/ui/layout/SettingRow';
import { WizardFooter } from '~/ui/layout/WizardFooter';
import { questionOf } from './estimate-question';
import { HistoryField } from './HistoryField';
import { MixpanelNote } from './MixpanelNote';
import type { StepProps } from './step-props';
import { configureProblems, stepNeeds } from './steps';
import styles from './Steps.module.css';
import { streamsFor } from '~/components/stream-table/stream-choice';
import { StreamTable } from '~/components/stream-table/StreamTable';
import type { RowsPerMonth } from '~/components/stream-table/StreamTable';
import { useStartingValues } from './use-starting-values';

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

/** Source, destination and streams of the draft, as far as they are loaded. */
function useParts({ draft }: StepProps) {
  const organizationId = useOrganizationId();
  const source = useSource(organizationId, draft.sourceId ?? '');
  const destination = useDestination(organizationId, draft.destinationId);
  const catalog = useCatalog();
  const connector = catalog.data?.connectors.find(({ provider }) => provider === source.data?.provider);
  const streams = useMemo(
    () =>
      connector && source.data && destination.data
        ? streamsFor(
            connector.streams.filter(({ name }) => source.data?.streams.includes(name)),
            destination.data,
          )
        : undefined,
    [connector, source.data, destination.data],
  );
  return {
    source: source.data,
    destination: destination.data,
    streams,
    error: (source.error ?? destination.error ?? catalog.error) as unknown,
    retry: () => void Promise.all([source.mutate(), destination.mutate(), catalog.mutate()]),
  };
}

interface LookbackProps extends StepProps {
  source: Source;
  streams: CatalogStream[];
}

/** The automatic value is the longest lookback window of the accounts, as requested from the platform once a day. */
function Lookback({ draft, onChange, source, streams }: LookbackProps) {
  const { data } = useSourceWindows(useOrganizationId(), source.id, useMay('sources.write'));
  const known = (data?.items ?? []).flatMap(({ lookbackDays }) => (lookbackDays === null ? [] : [lookbackDays]));
  const widest = known.length > 0 ? Math.max(...known) : null;
  return (
    <LookbackField
      lookbackDays={draft.lookbackDays}
      automaticDays={source.settings.lookbackDays ?? widest}
      reason={streams[0]?.lookbackReason ?? null}
      onChange={(lookbackDays) => onChange({ lookbackDays })}
    />
  );
}

interface SettingsProps extends StepProps {
  source: Source;
  destination: Destination;
  streams: CatalogStream[];
}

/** Selecting several streams requests one estimate. */
const ESTIMATE_PAUSE_MS = 800;

/** Without an estimate, for example while the platform is down, the table shows no rows. */
function useRowsPerMonth(draft: StepProps['draft']): RowsPerMonth {
  const [question] = useDebouncedValue(questionOf(draft), ESTIMATE_PAUSE_MS);
  const hasStreams = question !== null && question.streams.length > 0;
  const { data, isLoading } = useStreamVolumes(useOrganizationId(), hasStreams ? question : null);
  const rows = data?.streams.map(({ stream, rowsPerMonth }) => [stream, rowsPerMonth]) ?? [];
  return { isLoading, byStream: Object.fromEntries(rows) as Record<string, number> };
}

function Streams({ draft, onChange, source, destination, streams }: SettingsProps) {
  const isMixpanel = destination.provider === 'mixpanel';
  const chosen = draft.streams ?? [];
  return (
    <SettingRow
      title="Streams"
      field="streams"
      isWide
      hint={
        isMixpanel ? 'Reports to load. Only reports with cost, clicks or impressions.' : 'Reports to load. Each becomes a table.'
      }
    >
      {isMixpanel && (
        <div className={styles.notice}>
          <MixpanelNote destination={destination} streamCount={chosen.length} />
        </div>
      )}
      <StreamTable
        streams={streams}
        sourceProvider={source.provider}
        destination={destination}
        chosen={chosen}
        leftOut={draft.leftOut}
        onChange={(names) => onChange({ streams: names })}
        onLeaveOut={(leftOut) => onChange({ leftOut })}
        hashed={draft.hashed}
        onHash={(hashed) => onChange({ hashed })}
        rowsPerMonth={useRowsPerMonth(draft)}
      />
      {chosen.length === 0 && (
        <p className={styles.wrong} role="alert">
          Select at least one stream
        </p>
      )}
    </SettingRow>
  );
}

function Settings(props: SettingsProps) {
  const { draft, onChange, source } = props;
  return (
    <>
      <SettingRow title="Name" field="name">
        <TextInput
          aria-label="Name"
          value={draft.name}
          maxLength={120}
          error={draft.name.trim() === '' ? 'Enter a connection name' : null}
          onChange={(event) => onChange({ name: event.currentTarget.value, isNameTyped: true })}
        />
      </SettingRow>
      <Streams {...props} />
      <SettingRow
        title="Schedule"
        field="schedule"
        hint="Runs never overlap. A delayed run also loads the days that were missed."
      >
        {draft.schedule && <ScheduleFields schedule={draft.schedule} onChange={(schedule) => onChange({ schedule })} />}
      </SettingRow>
      <SettingRow
        title="Lookback window"
        hint="Days that are read again once a day, because ad platforms restate them. Every run reads the last 3 days."
      >
        <Lookback {...props} />
      </SettingRow>
      <SettingRow title="Freshness target" hint={FRESHNESS_HINT}>
        <FreshnessField
          target={draft.freshnessTarget}
          timeZone={draft.schedule?.timeZone ?? readerTimeZone()}
          onChange={(freshnessTarget) => onChange({ freshnessTarget })}
        />
      </SettingRow>
      <SettingRow title="Start date" field="historyFrom" hint="The initial load starts automatically.">
        {draft.historyFrom !== null && (
          <HistoryField
            historyFrom={draft.historyFrom}
            earliest={source.earliestAvailable}
            onChange={(historyFrom) => onChange({ historyFrom })}
          />
        )}
      </SettingRow>
    </>
  );
}

export function ConfigureStep(props: StepProps) {
  const { draft, onGo } = props;
  const { source, destination, streams, error, retry } = useParts(props);
  useStartingValues(props, { source, destination, streams });
  if (error !== undefined)
    return (
      <ErrorNotice
        error={error}
        title="Couldn’t load the settings"
        onRetry={retry}
        otherWay={
          isNotFound(error) && (
            <Button variant="default" onClick={() => onGo(source ? 'destination' : 'source')}>
              Select another {source ? 'destination' : 'source'}
            </Button>
          )
        }
      />
    );
  if (!source || !destination || !streams || !draft.streams || !draft.schedule || draft.historyFrom === null)
    return <TableSkeleton label="Loading settings" rows={5} widths={[160, '60%']} />;
  const problems = configureProblems(draft);
  return (
    <>
      <Route source={source} destination={destination} />
      <Settings {...props} source={source} destination={destination} streams={streams} />
      <WizardFooter
        savedAt={draft.savedAt}
        onBack={() => onGo('destination')}
        onNext={() => onGo('review')}
        nextLabel="Review"
        problems={problems}
        waitsForFields
        disabledReason={problems.length > 0 ? null : stepNeeds('configure', draft)}
      />
    </>
  );
}
