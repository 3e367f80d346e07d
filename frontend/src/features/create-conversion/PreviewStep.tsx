import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useState } from 'react';
import { usePreview, validateConversion } from '~/api/conversions/conversion-setup';
import type { ConversionPreview, ConversionRules, ConversionValidation } from '~/api/types';
import { ValidationNotice } from '~/components/conversion-rules/ValidationNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { eventFieldLabels } from '~/domain/conversions/event-fields';
import type { EventField } from '~/domain/conversions/event-fields';
import { formatCount, plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { Figure, FigureRow } from '~/ui/data/Figures';
import { JsonBlock } from '~/ui/data/JsonBlock';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { icon } from '~/ui/icon';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import { WizardFooter } from '~/ui/layout/WizardFooter';
import styles from './CreateConversion.module.css';
import type { StepProps } from './step-props';
import { rulesBodyOf } from './steps';

type Line = ConversionPreview['reasons'][number];

const Lines = ({ title, label, lines }: { title: string; label: string; lines: Line[] }) => (
  <Section title={title}>
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          <th scope="col" className={table.number}>
            Events
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ reason, message, events }) => (
          <tr key={reason}>
            <td>{message}</td>
            <td className={table.number}>{formatCount(events)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Section>
);

const Figures = ({ preview: { records, matching, eligible } }: { preview: ConversionPreview }) => (
  <div className={styles.figures}>
    <FigureRow>
      <Figure label="Records" value={formatCount(records)} note="The newest ones" />
      <Figure label="Match the filter" value={formatCount(matching)} note={`of ${plural(records, 'record')}`} />
      <Figure label="Eligible" value={`${formatCount(eligible)} of ${formatCount(matching)}`} note="Would be sent" />
      <Figure label="Not eligible" value={formatCount(matching - eligible)} note="Would not be sent" />
    </FigureRow>
  </div>
);

function Body({ preview }: { preview: ConversionPreview }) {
  const { reasons, notes, identifiers, eligible, request } = preview;
  const coverage = Object.entries(identifiers);
  return (
    <>
      <Figures preview={preview} />
      {reasons.length > 0 && <Lines title="Why events are not eligible" label="Reason" lines={reasons} />}
      {notes.length > 0 && (
        <Lines title="Notes" label="Note" lines={notes.map(({ code, ...note }) => ({ reason: code, ...note }))} />
      )}
      {coverage.length > 0 && (
        <Section title="Identifiers" aside="Of the eligible events">
          <DescriptionList
            facts={coverage.map(([name, events]) => ({
              label: eventFieldLabels[name as EventField] ?? name,
              value: `${formatCount(events)} of ${formatCount(eligible)}`,
            }))}
          />
        </Section>
      )}
      {request !== null && (
        <Section title="Exact request" aside="With the first three events">
          <JsonBlock label="Request" value={request} />
        </Section>
      )}
    </>
  );
}

/** Lets the platform check the newest events without counting them. */
function Validate({ rules }: { rules: ConversionRules }) {
  const organizationId = useOrganizationId();
  const { run, isBusy, error } = useAction();
  const [result, setResult] = useState<ConversionValidation | null>(null);
  return (
    <Section title="Validation">
      <div className={styles.tools}>
        <Button
          variant="default"
          leftSection={<IconChecks {...icon} />}
          loading={isBusy}
          onClick={() => void run(async () => setResult(await validateConversion(organizationId, rules)))}
        >
          Validate with the platform
        </Button>
        <span className="label">Up to 10 events. The platform counts none of them.</span>
      </div>
      {error !== null && <ErrorText error={error} />}
      {result && <ValidationNotice validation={result} />}
    </Section>
  );
}

export function PreviewStep({ draft, onGo }: StepProps) {
  const rules = rulesBodyOf(draft);
  const { data, error, mutate, isValidating } = usePreview(useOrganizationId(), rules);
  return (
    <>
      <LoadedContent
        data={data}
        error={isValidating ? undefined : error}
        reload={mutate}
        errorTitle="Couldn’t preview the events"
        skeleton={<TableSkeleton label="Previewing events" rows={6} widths={['30%', '30%', 80]} />}
      >
        {(preview) => (
          <>
            <Button variant="default" mb={16} loading={isValidating} onClick={() => void mutate()}>
              Check again
            </Button>
            <Body preview={preview} />
            {rules && draft.traits?.hasValidateOnly && preview.eligible > 0 && <Validate rules={rules} />}
          </>
        )}
      </LoadedContent>
      <WizardFooter
        savedAt={draft.savedAt}
        onBack={() => onGo('consent')}
        onNext={() => onGo('activate')}
        nextLabel="Activate"
        disabledReason={data ? null : error === undefined ? 'Reading the newest events…' : 'The preview failed'}
      />
    </>
  );
}
