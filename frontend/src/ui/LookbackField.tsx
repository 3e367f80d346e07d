import { NumberInput, SegmentedControl } from '@mantine/core';
import { plural } from '../lib/numbers';
import styles from './ScheduleFields.module.css';

const MAX_DAYS = 90;

interface LookbackFieldProps {
  /** null: as the provider's own conversion windows ask. */
  lookbackDays: number | null;
  automaticDays: number | null;
  reason: string | null;
  onChange: (lookbackDays: number | null) => void;
  isLocked?: boolean;
}

export function LookbackField({ lookbackDays, automaticDays, reason, onChange, isLocked = false }: LookbackFieldProps) {
  const isAutomatic = lookbackDays === null;
  return (
    <>
      <div className={styles.line}>
        <SegmentedControl
          data={[
            { value: 'automatic', label: 'Automatic' },
            { value: 'set', label: 'Set' },
          ]}
          value={isAutomatic ? 'automatic' : 'set'}
          disabled={isLocked}
          onChange={(choice) => onChange(choice === 'automatic' ? null : (automaticDays ?? 30))}
          aria-label="Look-back"
        />
        {isAutomatic && automaticDays !== null && <span>{plural(automaticDays, 'day')}</span>}
        {!isAutomatic && (
          <NumberInput
            w={104}
            min={0}
            max={MAX_DAYS}
            clampBehavior="strict"
            allowDecimal={false}
            suffix=" days"
            value={lookbackDays}
            disabled={isLocked}
            onChange={(value) => onChange(Number(value) || 0)}
            aria-label="Look-back in days"
          />
        )}
      </div>
      {reason && <p className={styles.note}>{reason}</p>}
    </>
  );
}
