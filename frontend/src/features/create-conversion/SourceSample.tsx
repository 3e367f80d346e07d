import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { sampleSource } from '~/api/conversions/conversion-setup';
import type { ConversionSourceChoice, RecordSample } from '~/api/types';
import { FilterFields } from '~/components/conversion-rules/FilterFields';
import { SourceFields, sourceErrors } from '~/components/conversion-rules/SourceFields';
import { rejectedFields } from '~/components/destination-form/form-values';
import { ErrorText } from '~/components/feedback/ErrorText';
import { fieldsOf, initialValues, toPayload } from '~/domain/destinations/json-schema';
import { plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import { Section } from '~/ui/layout/Page';
import styles from './CreateConversion.module.css';
import { SampleTable } from './SampleTable';
import type { StepProps } from './step-props';
import { sampleKeyOf, sourceBodyOf } from './steps';

type SampleProps = Pick<StepProps, 'draft' | 'onChange'> & { choice: ConversionSourceChoice };

/** The form of the source, and the newest records that it returns with these settings. */
function useSample({ draft, onChange, choice }: SampleProps) {
  const organizationId = useOrganizationId();
  const [sample, setSample] = useState<RecordSample | null>(null);
  const { run, isBusy, error } = useAction();
  const fields = useMemo(() => fieldsOf(choice.settingsSchema), [choice]);
  const values = { ...initialValues(fields), ...draft.sourceValues };
  const errors = sourceErrors(choice.provider, fields, values);
  const load = () =>
    run(async () => {
      const settled = { ...draft, sourceSettings: toPayload(fields, values) };
      const source = sourceBodyOf(settled);
      if (!source) return;
      const loaded = await sampleSource(organizationId, source);
      const { fields: names, idField, timeField } = loaded;
      setSample(loaded);
      onChange({
        sourceSettings: settled.sourceSettings,
        sample: { fields: names, idField, timeField, of: sampleKeyOf(settled) },
      });
    });
  return { fields, values, errors, sample, load, isBusy, error };
}

function Settings({ state, onChange, draft, choice }: SampleProps & { state: ReturnType<typeof useSample> }) {
  const { fields, values, errors, error } = state;
  const [isTouched, setTouched] = useState(false);
  if (fields.length === 0) return null;
  const form = {
    values,
    errors: { ...(isTouched ? errors : {}), ...rejectedFields(error) },
    onChange: (name: string, value: string) => {
      setTouched(true);
      onChange({ sourceValues: { ...draft.sourceValues, [name]: value }, sample: null });
    },
  };
  return (
    <div className={styles.form}>
      <SourceFields provider={choice.provider} fields={fields} {...form} />
    </div>
  );
}

export function SourceSample(props: SampleProps) {
  const { draft, onChange } = props;
  const state = useSample(props);
  const { sample, load, isBusy, error, errors, fields } = state;
  const missing = Object.values(errors).find((one) => one !== null) ?? null;
  // A source without a form is read at once. Each request counts against a daily budget, so a failed one is not repeated.
  const isAutomatic = fields.length === 0;
  const hasStarted = useRef(false);
  useEffect(() => {
    if (!isAutomatic || hasStarted.current) return;
    hasStarted.current = true;
    void load();
  }, [isAutomatic, load]);
  return (
    <>
      <Section title="Newest records" aside={sample && plural(sample.records.length, 'record')}>
        <Settings {...props} state={state} />
        <div className={styles.tools}>
          <Button
            variant="default"
            leftSection={<IconRefresh {...icon} />}
            loading={isBusy}
            disabled={missing !== null}
            onClick={() => void load()}
          >
            Load sample
          </Button>
          {missing !== null && <span className="label">{missing}</span>}
        </div>
        {error !== null && <ErrorText error={error} />}
        {sample && sample.records.length === 0 && (
          <p className="quiet">No events yet. Send one to the source, then load the sample again.</p>
        )}
        {sample && sample.records.length > 0 && <SampleTable sample={sample} />}
      </Section>
      {draft.sample && draft.sample.fields.length > 0 && (
        <Section title="Filter" aside="A record must meet all conditions">
          <FilterFields
            filter={draft.rules.filter}
            fields={draft.sample.fields}
            onChange={(filter) => onChange({ rules: { ...draft.rules, filter } })}
          />
        </Section>
      )}
    </>
  );
}
