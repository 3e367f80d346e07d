import { Tooltip } from '@mantine/core';
import { formatDay } from '~/lib/dates';
import { axisTicks, formatAxis } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';

interface Day {
  date: string;
}

export interface BarDay extends Day {
  rows: number;
  /** Part of the rows that may still change. */
  provisionalRows: number;
  rowsText: string;
}

export interface LineDay extends Day {
  /** Null: not known. */
  cost: number | null;
  costText: string;
}

interface ChartProps<One> {
  days: One[];
  width: number;
  height: number;
}

/** Space for `165k` on the left, and for half a line of text above and below. */
const AXIS_WIDTH = 40;
const PAD = 8;
const LABEL_HEIGHT = 18;

const frameOf = (days: Day[], width: number, height: number, ticks: number[], bottom: number) => {
  const top = ticks.at(-1) ?? 1;
  const plotWidth = Math.max(0, width - AXIS_WIDTH);
  const base = height - bottom;
  const pitch = days.length === 0 ? 0 : plotWidth / days.length;
  return {
    ticks,
    base,
    pitch,
    y: (value: number) => base - (value / top) * (base - PAD),
    x: (index: number) => AXIS_WIDTH + index * pitch,
  };
};

type Frame = ReturnType<typeof frameOf>;

const Grid = ({ frame, width }: { frame: Frame; width: number }) => (
  <g>
    {frame.ticks.map((tick) => (
      <g key={tick}>
        <line
          x1={AXIS_WIDTH}
          x2={width}
          y1={Math.round(frame.y(tick)) + 0.5}
          y2={Math.round(frame.y(tick)) + 0.5}
          stroke="var(--t-grid)"
        />
        <text x={AXIS_WIDTH - 8} y={frame.y(tick) + 4} textAnchor="end" fontSize={11} fill="var(--t-ink-3)">
          {formatAxis(tick)}
        </text>
      </g>
    ))}
  </g>
);

/** A transparent area per day with a tooltip of its exact figures. */
function DayTooltips<One extends Day>({
  days,
  frame,
  height,
  textOf,
}: {
  days: One[];
  frame: Frame;
  height: number;
  textOf: (day: One) => string;
}) {
  const now = useNow(300_000);
  return (
    <g>
      {days.map((day, index) => (
        <Tooltip key={day.date} label={`${formatDay(day.date, now)}: ${textOf(day)}`} openDelay={0}>
          <rect x={frame.x(index)} y={0} width={frame.pitch} height={height} fill="transparent" />
        </Tooltip>
      ))}
    </g>
  );
}

/** Dates under the days, with at least 64 px between them. */
function DayLabels({ days, frame, height }: { days: Day[]; frame: Frame; height: number }) {
  const now = useNow(300_000);
  const every = Math.max(1, Math.ceil(64 / Math.max(1, frame.pitch)));
  return days.map((day, index) =>
    index % every === 0 && index + every / 2 < days.length ? (
      <text
        key={day.date}
        x={frame.x(index) + frame.pitch / 2}
        y={height - 4}
        textAnchor="middle"
        fontSize={11}
        fill="var(--t-ink-3)"
      >
        {formatDay(day.date, now)}
      </text>
    ) : null,
  );
}

/** Settled rows are solid; rows that may still change are hatched, on top of them. */
export function BarChart({ days, width, height }: ChartProps<BarDay>) {
  const frame = frameOf(
    days,
    width,
    height,
    axisTicks(Math.max(...days.map((day) => day.rows), 1), { isCount: true }),
    PAD + LABEL_HEIGHT,
  );
  const bar = Math.max(1, Math.min(24, frame.pitch * 0.78));
  const column = (index: number, from: number, to: number, fill: string) => (
    <rect
      x={frame.x(index) + (frame.pitch - bar) / 2}
      y={frame.y(to)}
      width={bar}
      height={Math.max(0, frame.y(from) - frame.y(to))}
      fill={fill}
    />
  );
  return (
    <svg width={width} height={height} aria-hidden style={{ display: 'block' }}>
      <defs>
        <pattern id="provisional" width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width={6} height={6} fill="var(--t-data-1)" opacity={0.25} />
          <rect width={1.5} height={6} fill="var(--t-data-1)" />
        </pattern>
      </defs>
      <Grid frame={frame} width={width} />
      {days.map(({ date, rows, provisionalRows }, index) => (
        <g key={date}>
          {column(index, 0, rows - provisionalRows, 'var(--t-data-1)')}
          {column(index, rows - provisionalRows, rows, 'url(#provisional)')}
        </g>
      ))}
      <DayLabels days={days} frame={frame} height={height} />
      <DayTooltips days={days} frame={frame} height={height} textOf={(day) => day.rowsText} />
    </svg>
  );
}

export function LineChart({ days, width, height }: ChartProps<LineDay>) {
  const frame = frameOf(days, width, height, axisTicks(Math.max(...days.map((day) => day.cost ?? 0), 0.01)), LABEL_HEIGHT + PAD);
  const points = days
    .flatMap(({ cost }, index) => (cost === null ? [] : [`${frame.x(index) + frame.pitch / 2},${frame.y(cost)}`]))
    .join(' ');
  return (
    <svg width={width} height={height} aria-hidden style={{ display: 'block' }}>
      <Grid frame={frame} width={width} />
      <polyline points={points} fill="none" stroke="var(--t-data-2)" strokeWidth={1.5} strokeLinejoin="round" />
      <DayLabels days={days} frame={frame} height={height} />
      <DayTooltips days={days} frame={frame} height={height} textOf={(day) => day.costText} />
    </svg>
  );
}
