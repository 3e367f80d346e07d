import { SegmentedControl, TextInput } from '@mantine/core';
import { addDays, daysBetween, formatDay, localDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { historyError, historyRange } from './history-range';
import styles from './Steps.module.css';

/** Days back from today. */
const PRESETS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
];
const ALL = 'all';
const ERROR_ID = 'history-error';

interface HistoryFieldProps {
  historyFrom: string;
  /** Earliest day the platform provides, or null if it has no limit. */
  earliest: string | null;
  onChange: (day: string) => void;
}

export function HistoryField({ historyFrom, earliest, onChange }: HistoryFieldProps) {
  const now = useNow(300_000);
  const today = localDay(now);
  const { first, last } = historyRange(earliest, now);
  const error = historyError(historyFrom, earliest, now);
  const days = error === null ? daysBetween(historyFrom, today) : 0;
  const preset = historyFrom === earliest ? ALL : (PRESETS.find(({ value }) => Number(value) === days)?.value ?? '');
  return (
    <>
      <div className={styles.line}>
        <TextInput
          w={160}
          type="date"
          min={first}
          max={last}
          value={historyFrom}
          onChange={(event) => onChange(event.currentTarget.value)}
          aria-label="Start date"
          error={error !== null}
          aria-describedby={error === null ? undefined : ERROR_ID}
        />
        <SegmentedControl
          data={earliest === null ? PRESETS : [...PRESETS, { value: ALL, label: 'All' }]}
          value={preset}
          onChange={(value) => onChange(value === ALL && earliest !== null ? earliest : addDays(today, -Number(value)))}
          aria-label="Start date, presets"
        />
      </div>
      {error !== null && (
        <p id={ERROR_ID} className={styles.wrong} role="alert">
          {error}
        </p>
      )}
      <p className={styles.note}>
        {error === null && `From ${formatDay(historyFrom, now)} to yesterday: ${plural(days, 'day')} per account.`}
        {earliest !== null && ` The platform provides data from ${formatDay(earliest, now)}.`}
      </p>
    </>
  );
}
