import { Checkbox, SegmentedControl, Select, TextInput } from '@mantine/core';
import { cronError, nextCronRuns } from '~/domain/connections/cron';
import { formatTime, readerTimeZone } from '~/lib/dates';
import { dateFormat } from '~/lib/intl';
import { describeInterval, INTERVALS_MINUTES, nextRuns } from '~/domain/connections/schedule';
import type { Schedule } from '~/domain/connections/schedule';
import { useNow } from '~/lib/use-now';
import { TimeOfDay } from './TimeOfDay';
import { TimeZoneSelect } from './TimeZoneSelect';
import styles from './ScheduleFields.module.css';

const KINDS: { value: Schedule['kind']; label: string }[] = [
  { value: 'manual', label: 'Manual' },
  { value: 'interval', label: 'Interval' },
  { value: 'daily', label: 'Daily' },
  { value: 'cron', label: 'Cron' },
];

const intervals = INTERVALS_MINUTES.map((minutes) => ({ value: String(minutes), label: describeInterval(minutes) }));

const STARTING_TIME = '05:00';
const STARTING_CRON = '0 5 * * 1-5';

export const startingSchedule = (kind: Schedule['kind'], timeZone: string): Schedule => {
  if (kind === 'manual') return { kind, timeZone };
  if (kind === 'cron') return { kind, cron: STARTING_CRON, timeZone };
  return kind === 'daily' ? { kind, atTime: STARTING_TIME, timeZone } : { kind, everyMinutes: 60, timeZone };
};

/** With the weekday, because runs of a cron schedule are not always daily: `Mon, Nov 23, 06:30`. */
const formatRun = (run: Date, timeZone: string): string =>
  `${dateFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone }).format(run)}, ${formatTime(run.toISOString(), timeZone)}`;

function describeNextCron({ cron = '', timeZone }: Schedule, now: Date): string {
  if (cronError(cron) !== null) return 'Example: 0 5 * * 1-5 runs at 05:00 from Monday to Friday.';
  const runs = nextCronRuns(cron, timeZone, now).map((run) => formatRun(run, timeZone));
  return `Next runs: ${runs.join('; ')}, ${timeZone}.`;
}

function describeNext(schedule: Schedule, now: Date, nextRunAt: string | null): string {
  if (schedule.kind === 'manual') return 'Runs only when someone clicks Run now.';
  if (schedule.notBefore !== undefined)
    return `Runs that are due before ${schedule.notBefore} start at that time, ${schedule.timeZone}.`;
  if (schedule.kind === 'cron') return describeNextCron(schedule, now);
  const times = nextRuns(schedule, now, { nextRunAt }).map((run) => formatTime(run.toISOString(), schedule.timeZone));
  return schedule.kind === 'daily'
    ? `Every day at ${times[0] ?? ''}, ${schedule.timeZone}.`
    : `Next runs: ${times.join(', ')}, ${schedule.timeZone}.`;
}

const STARTING_NOT_BEFORE = '06:00';

/** The earliest time of day of scheduled runs. */
const NotBeforeField = ({ schedule, onChange, isLocked = false }: ScheduleFieldsProps) => {
  const { notBefore, ...always } = schedule;
  return (
    <div className={`${styles.line} ${styles.notBefore}`}>
      <Checkbox
        label="Not before"
        checked={notBefore !== undefined}
        disabled={isLocked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? { ...always, notBefore: STARTING_NOT_BEFORE } : always)}
      />
      {notBefore !== undefined && (
        <TimeOfDay
          label="Earliest time of day, 24 hours"
          value={notBefore}
          isLocked={isLocked}
          onChange={(time) => onChange({ ...schedule, notBefore: time })}
        />
      )}
    </div>
  );
};

const CRON_ERROR = 'cron-error';

/** The error of a schedule; null when it is valid. */
export const scheduleError = ({ kind, cron = '' }: Schedule): string | null => (kind === 'cron' ? cronError(cron) : null);

interface ScheduleFieldsProps {
  schedule: Schedule;
  onChange: (schedule: Schedule) => void;
  isLocked?: boolean;
  /** When the saved connection runs next, while its schedule is unchanged. Otherwise the intervals begin now. */
  nextRunAt?: string | null;
  /** Why the server rejected this schedule. */
  rejection?: string;
}

const IntervalField = ({ schedule, onChange, isLocked }: ScheduleFieldsProps) => (
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
);

const CronField = ({ schedule, onChange, isLocked, hasError }: ScheduleFieldsProps & { hasError: boolean }) => (
  <TextInput
    w={160}
    classNames={{ input: styles.cron }}
    value={schedule.cron ?? ''}
    disabled={isLocked}
    maxLength={100}
    error={hasError}
    aria-describedby={hasError ? CRON_ERROR : undefined}
    aria-label="Cron expression"
    onChange={(event) => onChange({ ...schedule, cron: event.currentTarget.value })}
  />
);

export function ScheduleFields({ schedule, onChange, isLocked = false, nextRunAt = null, rejection }: ScheduleFieldsProps) {
  const now = useNow();
  const timeZone = schedule.timeZone || readerTimeZone();
  const error = scheduleError(schedule) ?? rejection ?? null;
  const field = { schedule, onChange, isLocked };
  return (
    <>
      <div className={styles.line}>
        <SegmentedControl
          data={KINDS}
          value={schedule.kind}
          disabled={isLocked}
          onChange={(kind) => onChange(startingSchedule(kind as Schedule['kind'], timeZone))}
          aria-label="Schedule type"
        />
        {schedule.kind === 'interval' && <IntervalField {...field} />}
        {schedule.kind === 'daily' && (
          <>
            <span className="quiet">at</span>
            <TimeOfDay
              label="Time of day, 24 hours"
              value={schedule.atTime ?? STARTING_TIME}
              isLocked={isLocked}
              onChange={(atTime) => onChange({ ...schedule, atTime })}
            />
          </>
        )}
        {schedule.kind === 'cron' && <CronField {...field} hasError={error !== null} />}
        {(schedule.kind === 'daily' || schedule.kind === 'cron' || schedule.notBefore !== undefined) && (
          <TimeZoneSelect value={timeZone} isLocked={isLocked} onChange={(zone) => onChange({ ...schedule, timeZone: zone })} />
        )}
      </div>
      {(schedule.kind === 'interval' || schedule.kind === 'cron') && <NotBeforeField {...field} />}
      {error !== null && (
        <p id={CRON_ERROR} className={styles.wrong} role="alert">
          {error}
        </p>
      )}
      <p className={styles.note}>{describeNext(schedule, now, nextRunAt)}</p>
    </>
  );
}
