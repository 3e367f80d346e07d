import { SegmentedControl, TextInput } from '@mantine/core';
import { plural } from '~/lib/numbers';
import styles from './ScheduleFields.module.css';

const MAX_DAYS = 90;

const toDays = (text: string): number => Math.min(MAX_DAYS, Number(text.replace(/\D/g, '')));

interface LookbackFieldProps {
  /** null: derived from the provider's conversion windows. */
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
            { value: 'set', label: 'Custom' },
          ]}
          value={isAutomatic ? 'automatic' : 'set'}
          disabled={isLocked}
          onChange={(choice) => onChange(choice === 'automatic' ? null : (automaticDays ?? 30))}
          aria-label="Lookback window"
        />
        {isAutomatic && automaticDays !== null && <span>{plural(automaticDays, 'day')}</span>}
        {!isAutomatic && (
          <>
            <TextInput
              w={64}
              inputMode="numeric"
              value={String(lookbackDays)}
              disabled={isLocked}
              onChange={(event) => onChange(toDays(event.currentTarget.value))}
              aria-label="Lookback window in days"
            />
            <span className="quiet">{lookbackDays === 1 ? 'day' : 'days'}</span>
          </>
        )}
      </div>
      {reason && <p className={styles.note}>{reason}</p>}
    </>
  );
}
