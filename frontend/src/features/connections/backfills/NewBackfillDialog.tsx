import { Button, Group, MultiSelect, Radio, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useBackfillActions } from '~/api/connections/backfills';
import type { Connection, NewBackfill } from '~/api/types';
import type { BackfillPreset } from '~/domain/connections/backfill';
import { PRESETS } from '~/domain/connections/backfill';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { FormDialog } from '~/ui/layout/FormDialog';
import { BackfillCost } from './BackfillCost';
import styles from './Backfills.module.css';

/** Long enough that typing a date requests one estimate. */
const PAUSE_MS = 300;
const CUSTOM = 'custom';

interface Choice {
  days: BackfillPreset | typeof CUSTOM;
  from: string;
  to: string;
  /** All if empty. */
  streams: string[];
  /** All if empty. */
  accounts: string[];
  mode: NewBackfill['mode'];
}

/** What the address of the dialog selects. */
export interface BackfillRange {
  from: string;
  to: string;
  stream: string;
  account: string;
}

const initial: Choice = { days: 'last_90_days', from: '', to: '', streams: [], accounts: [], mode: 'fill_missing' };

/** Selected days are read again, also if they are loaded. */
const choiceOf = (range: BackfillRange | null): Choice =>
  range === null
    ? initial
    : {
        ...initial,
        days: CUSTOM,
        from: range.from,
        to: range.to,
        streams: [range.stream],
        accounts: [range.account],
        mode: 'replace',
      };

/** Null until the days are chosen. */
function toBody({ days, from, to, streams, accounts, mode }: Choice): NewBackfill | null {
  if (days === CUSTOM && (from === '' || to === '' || from > to)) return null;
  return {
    mode,
    ...(days === CUSTOM ? { from, to } : { preset: days }),
    ...(streams.length > 0 && { streams }),
    ...(accounts.length > 0 && { accounts }),
  };
}

interface FieldsProps {
  choice: Choice;
  onChange: (change: Partial<Choice>) => void;
}

function Days({ choice, onChange }: FieldsProps) {
  const isReversed = choice.from !== '' && choice.to !== '' && choice.from > choice.to;
  return (
    <>
      <Select
        label="Days"
        data={[...PRESETS, { value: CUSTOM, label: 'Custom range' }]}
        value={choice.days}
        allowDeselect={false}
        onChange={(days) => days && onChange({ days })}
      />
      {choice.days === CUSTOM && (
        <div className={styles.dates}>
          <TextInput
            type="date"
            label="First day"
            value={choice.from}
            error={isReversed && 'Choose a day before the last day'}
            onChange={(event) => onChange({ from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label="Last day"
            value={choice.to}
            onChange={(event) => onChange({ to: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}

function Selection({ choice, onChange, connection }: FieldsProps & { connection: Connection }) {
  const streams = connection.streams.filter(({ isSelected }) => isSelected).map(({ name }) => name);
  const accounts = connection.source.accounts.map(({ externalId, name }) => ({ value: externalId, label: name }));
  return (
    <>
      <MultiSelect
        label="Streams"
        placeholder={choice.streams.length === 0 ? 'All streams' : undefined}
        data={streams}
        value={choice.streams}
        onChange={(chosen) => onChange({ streams: chosen })}
      />
      <MultiSelect
        label="Accounts"
        placeholder={choice.accounts.length === 0 ? 'All accounts' : undefined}
        data={accounts}
        searchable
        value={choice.accounts}
        onChange={(chosen) => onChange({ accounts: chosen })}
      />
    </>
  );
}

const Mode = ({ choice, onChange }: FieldsProps) => (
  <Radio.Group
    label="Loaded days"
    value={choice.mode}
    onChange={(mode) => onChange({ mode: mode === 'replace' ? 'replace' : 'fill_missing' })}
  >
    <div className={styles.modes}>
      <Radio value="fill_missing" label="Keep them and load only missing days" />
      <Radio value="replace" label="Load every day again and replace its rows" />
    </div>
  </Radio.Group>
);

interface NewBackfillDialogProps {
  connection: Connection;
  range: BackfillRange | null;
  onClose: () => void;
}

/** Asks for days, streams and accounts, and shows the cost before the backfill starts. */
export function NewBackfillDialog({ connection, range, onClose }: NewBackfillDialogProps) {
  const { start } = useBackfillActions(useOrganizationId(), connection.id);
  const [choice, setChoice] = useState(() => choiceOf(range));
  const { run, isBusy, error, reset } = useAction();
  const body = toBody(choice);
  const [estimated] = useDebouncedValue(body, PAUSE_MS);
  const change = (part: Partial<Choice>) => {
    reset();
    setChoice((before) => ({ ...before, ...part }));
  };
  const submit = async () => {
    if (!body || !(await run(() => start(body)))) return;
    toast.done('Backfill started');
    onClose();
  };
  return (
    <FormDialog opened onClose={onClose} title="New backfill">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Days choice={choice} onChange={change} />
        <Selection choice={choice} onChange={change} connection={connection} />
        <Mode choice={choice} onChange={change} />
        <BackfillCost connection={connection} body={estimated} />
        {error !== null && <ErrorText error={error} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={body === null}>
            Start backfill
          </Button>
        </Group>
      </form>
    </FormDialog>
  );
}
