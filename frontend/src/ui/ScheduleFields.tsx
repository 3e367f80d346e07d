import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { formatTime, readerTimeZone } from '../lib/dates';
import { describeInterval, INTERVALS_MINUTES, nextRuns } from '../lib/schedule';
import type { Schedule } from '../lib/schedule';
import { useNow } from '../lib/use-now';
import styles from './ScheduleFields.module.css';

const KINDS: { value: Schedule['kind']; label: string }[] = [
  { value: 'manual', label: 'Manual' },
  { value: 'interval', label: 'Interval' },
  { value: 'daily', label: 'Daily' },
];

const intervals = INTERVALS_MINUTES.map((minutes) => ({ value: String(minutes), label: describeInterval(minutes) }));

export const startingSchedule = (kind: Schedule['kind'], timeZone: string): Schedule => {
  if (kind === 'manual') return { kind, timeZone };
  return kind === 'daily' ? { kind, atTime: '05:00', timeZone } : { kind, everyMinutes: 60, timeZone };
};

function describeNext(schedule: Schedule, now: Date): string {
  if (schedule.kind === 'manual') return 'Runs only when somebody presses Run now.';
  const times = nextRuns(schedule, now).map((run) => formatTime(run.toISOString(), schedule.timeZone));
  return schedule.kind === 'daily'
    ? `Every day at ${times[0] ?? ''}, ${schedule.timeZone}.`
    : `Next runs: ${times.join(', ')}, ${schedule.timeZone}.`;
}

interface ScheduleFieldsProps {
  schedule: Schedule;
  onChange: (schedule: Schedule) => void;
  isLocked?: boolean;
}

export function ScheduleFields({ schedule, onChange, isLocked = false }: ScheduleFieldsProps) {
  const now = useNow();
  const timeZone = schedule.timeZone || readerTimeZone();
  return (
    <>
      <div className={styles.line}>
        <SegmentedControl
          data={KINDS}
          value={schedule.kind}
          disabled={isLocked}
          onChange={(kind) => onChange(startingSchedule(kind as Schedule['kind'], timeZone))}
          aria-label="Kind of schedule"
        />
        {schedule.kind === 'interval' && (
          <>
            <span className="quiet">every</span>
            <Select
              w={120}
              data={intervals}
              value={String(schedule.everyMinutes ?? 60)}
              disabled={isLocked}
              onChange={(minutes) => onChange({ ...schedule, everyMinutes: Number(minutes) })}
              aria-label="Interval"
            />
          </>
        )}
        {schedule.kind === 'daily' && (
          <>
            <span className="quiet">at</span>
            <TextInput
              w={104}
              type="time"
              value={schedule.atTime ?? '05:00'}
              disabled={isLocked}
              onChange={(event) => onChange({ ...schedule, atTime: event.currentTarget.value || '05:00' })}
              aria-label="Time of day"
            />
          </>
        )}
      </div>
      <p className={styles.note}>{describeNext(schedule, now)}</p>
    </>
  );
}
