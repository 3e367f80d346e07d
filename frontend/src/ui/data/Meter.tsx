import styles from './Meter.module.css';

interface MeterProps {
  label: string;
  value: number;
  max: number;
  /** For screen readers: `3 of 25 connections`. */
  valueText: string;
  tone?: 'plain' | 'warn';
}

/** A bar for the used share of a limit. The figures are shown as text next to it. */
export function Meter({ label, value, max, valueText, tone = 'plain' }: MeterProps) {
  const share = max <= 0 ? 1 : Math.min(1, Math.max(0, value / max));
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={valueText}
      className={styles.track}
    >
      <div className={styles.fill} data-tone={tone} style={{ width: `${share * 100}%` }} />
    </div>
  );
}
