import { SegmentedControl, TextInput } from '@mantine/core';
import { addDays, daysBetween, formatDay, localDay } from '../../lib/dates';
import { plural } from '../../lib/numbers';
import { useNow } from '../../lib/use-now';
import styles from './Steps.module.css';

/** Days back from today. */
const PRESETS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
];
const ALL = 'all';

interface HistoryFieldProps {
  historyFrom: string;
  /** First day the platform still answers for; null: as far as there is data. */
  earliest: string | null;
  onChange: (day: string) => void;
}

export function HistoryField({ historyFrom, earliest, onChange }: HistoryFieldProps) {
  const now = useNow(300_000);
  const today = localDay(now);
  const days = daysBetween(historyFrom, today);
  const preset = historyFrom === earliest ? ALL : (PRESETS.find(({ value }) => Number(value) === days)?.value ?? '');
  return (
    <>
      <div className={styles.line}>
        <TextInput
          w={160}
          type="date"
          min={earliest ?? undefined}
          max={addDays(today, -1)}
          value={historyFrom}
          onChange={(event) => event.currentTarget.value && onChange(event.currentTarget.value)}
          aria-label="History from"
        />
        <SegmentedControl
          data={earliest === null ? PRESETS : [...PRESETS, { value: ALL, label: 'All' }]}
          value={preset}
          onChange={(value) => onChange(value === ALL && earliest !== null ? earliest : addDays(today, -Number(value)))}
          aria-label="History from, presets"
        />
      </div>
      <p className={styles.note}>
        From {formatDay(historyFrom, now)} to yesterday: {plural(days, 'day')} of each account.
        {earliest !== null && ` The oldest day the platform still answers for is ${formatDay(earliest, now)}.`}
      </p>
    </>
  );
}
