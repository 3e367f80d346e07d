import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatTime, readerTimeZone } from '../lib/dates';
import { describeInterval, INTERVALS_MINUTES, nextRuns, parseTimeOfDay } from '../lib/schedule';
import type { Schedule } from '../lib/schedule';
import { useNow } from '../lib/use-now';
import styles from './ScheduleFields.module.css';

const KINDS: { value: Schedule['kind']; label: string }[] = [
  { value: 'manual', label: 'Manual' },
  { value: 'interval', label: 'Interval' },
  { value: 'daily', label: 'Daily' },
];

const intervals = INTERVALS_MINUTES.map((minutes) => ({ value: String(minutes), label: describeInterval(minutes) }));

const STARTING_TIME = '05:00';

export const startingSchedule = (kind: Schedule['kind'], timeZone: string): Schedule => {
  if (kind === 'manual') return { kind, timeZone };
  return kind === 'daily' ? { kind, atTime: STARTING_TIME, timeZone } : { kind, everyMinutes: 60, timeZone };
};

function describeNext(schedule: Schedule, now: Date): string {
  if (schedule.kind === 'manual') return 'Runs only when somebody presses Run now.';
  const times = nextRuns(schedule, now).map((run) => formatTime(run.toISOString(), schedule.timeZone));
  return schedule.kind === 'daily'
    ? `Every day at ${times[0] ?? ''}, ${schedule.timeZone}.`
    : `Next runs: ${times.join(', ')}, ${schedule.timeZone}.`;
}

/** Typed, not picked: the browser's own time field shows a clock of twelve hours to half its readers. */
function TimeOfDay({ value, isLocked, onChange }: { value: string; isLocked: boolean; onChange: (atTime: string) => void }) {
  const [text, setText] = useState(value);
  const parsed = parseTimeOfDay(text);
  return (
    <TextInput
      w={72}
      value={text}
      disabled={isLocked}
      error={parsed === null}
      inputMode="numeric"
      aria-label="Time of day, 24 hours"
      onChange={(event) => {
        setText(event.currentTarget.value);
        const next = parseTimeOfDay(event.currentTarget.value);
        if (next) onChange(next);
      }}
      onBlur={() => setText(parsed ?? value)}
    />
  );
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
            <TimeOfDay
              value={schedule.atTime ?? STARTING_TIME}
              isLocked={isLocked}
              onChange={(atTime) => onChange({ ...schedule, atTime })}
            />
          </>
        )}
      </div>
      <p className={styles.note}>{describeNext(schedule, now)}</p>
    </>
  );
}
