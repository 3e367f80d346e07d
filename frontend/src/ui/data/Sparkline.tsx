import { formatCount } from '~/lib/numbers';

interface SparklineProps {
  days: { day: string; rows: number | null }[];
  isFailing?: boolean;
}

const BAR_WIDTH = 3;
const PITCH = 4;
const HEIGHT = 20;

/** 30 days as bars of 3 px. A missing day is a dot on the base line; the days since a failure are hollow bars. */
export function Sparkline({ days, isFailing = false }: SparklineProps) {
  const highest = Math.max(1, ...days.map((day) => day.rows ?? 0));
  const lastLoaded = days.findLastIndex((day) => day.rows !== null);
  const total = days.reduce((sum, day) => sum + (day.rows ?? 0), 0);
  const missing = days.filter((day) => day.rows === null).length;
  const label = `${formatCount(total)} rows in ${days.length} days${missing ? `, ${missing} days missing` : ''}`;
  return (
    <svg width={days.length * PITCH - 1} height={HEIGHT} role="img" aria-label={label}>
      {days.map(({ day, rows }, index) => {
        const x = index * PITCH;
        if (rows === null && isFailing && index > lastLoaded && lastLoaded >= 0)
          return <rect key={day} x={x + 0.5} y={10.5} width={2} height={9} fill="none" stroke="var(--t-danger)" />;
        if (rows === null || rows === 0)
          return <rect key={day} x={x + 1} y={HEIGHT - 1.5} width={1.5} height={1.5} fill="var(--t-data-4)" />;
        const height = Math.max(2, (rows / highest) * (HEIGHT - 1));
        return <rect key={day} x={x} y={HEIGHT - height} width={BAR_WIDTH} height={height} rx={0.5} fill="var(--t-data-1)" />;
      })}
    </svg>
  );
}
