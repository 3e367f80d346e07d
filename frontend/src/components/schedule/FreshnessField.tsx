import { SegmentedControl, Select } from '@mantine/core';
import type { FreshnessTarget } from '~/api/types';
import { describeTarget } from '~/domain/connections/freshness';
import styles from './ScheduleFields.module.css';
import { TimeOfDay } from './TimeOfDay';
import { TimeZoneSelect } from './TimeZoneSelect';

export const FRESHNESS_HINT = 'When each day must be complete. An alert opens if a day is late.';

const STARTING_TIME = '09:00';
const DAYS = [1, 2, 3, 4, 5, 6, 7].map((days) => ({
  value: String(days),
  label: days === 1 ? 'the next day' : `${days} days later`,
}));

interface FreshnessFieldProps {
  /** null: no target. */
  target: FreshnessTarget | null;
  /** Time zone of a new target. */
  timeZone: string;
  onChange: (target: FreshnessTarget | null) => void;
  isLocked?: boolean;
}

export function FreshnessField({ target, timeZone, onChange, isLocked = false }: FreshnessFieldProps) {
  return (
    <>
      <div className={styles.line}>
        <SegmentedControl
          data={[
            { value: 'none', label: 'No target' },
            { value: 'by', label: 'Complete by' },
          ]}
          value={target === null ? 'none' : 'by'}
          disabled={isLocked}
          onChange={(choice) => onChange(choice === 'none' ? null : { atTime: STARTING_TIME, timeZone, daysAfter: 1 })}
          aria-label="Freshness target"
        />
        {target !== null && (
          <>
            <TimeOfDay
              label="Complete by, 24 hours"
              value={target.atTime}
              isLocked={isLocked}
              onChange={(atTime) => onChange({ ...target, atTime })}
            />
            <Select
              w={132}
              data={DAYS}
              value={String(target.daysAfter)}
              allowDeselect={false}
              disabled={isLocked}
              onChange={(days) => onChange({ ...target, daysAfter: Number(days) })}
              aria-label="Day of the deadline"
            />
            <TimeZoneSelect
              value={target.timeZone}
              isLocked={isLocked}
              onChange={(zone) => onChange({ ...target, timeZone: zone })}
            />
          </>
        )}
      </div>
      <p className={styles.note}>
        {target === null
          ? 'Freshness is shown, and nobody is notified.'
          : `${describeTarget(target)} If a day hasn’t ended in every account by then, it is due a day later.`}
      </p>
    </>
  );
}
