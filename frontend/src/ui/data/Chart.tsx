import { formatDay } from '~/lib/dates';
import { axisTicks, formatAxis } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';

interface Day {
  date: string;
}

/** Tone of the mark under a day. */
export type MarkTone = 'good' | 'warn' | 'danger';

export interface BarDay extends Day {
  rows: number;
  /** Part of the rows that may still change. */
  provisionalRows: number;
  mark?: MarkTone;
}

export interface LineDay extends Day {
  /** Null: not known. */
  cost: number | null;
}

interface ChartProps<One> {
  days: One[];
  width: number;
  height: number;
  /** The day under the pointer, in all charts of these days; null: none. */
  hoveredDate: string | null;
  onHover: (date: string | null) => void;
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

/** The line through the day under the pointer, and a transparent area per day. */
function DayAreas({
  days,
  frame,
  height,
  hoveredDate,
  onHover,
}: Pick<ChartProps<Day>, 'days' | 'height' | 'hoveredDate' | 'onHover'> & { frame: Frame }) {
  const at = days.findIndex(({ date }) => date === hoveredDate);
  const x = Math.round(frame.x(at) + frame.pitch / 2) + 0.5;
  return (
    <g>
      {at >= 0 && <line x1={x} x2={x} y1={0} y2={frame.base} stroke="var(--t-ink-3)" />}
      {days.map(({ date }, index) => (
        <rect
          key={date}
          x={frame.x(index)}
          y={0}
          width={frame.pitch}
          height={height}
          fill="transparent"
          onPointerEnter={() => onHover(date)}
        />
      ))}
    </g>
  );
}

const MARK = { width: 6, height: 3 };

/** Marks between the axis and the dates. */
const DayMarks = ({ days, frame }: { days: BarDay[]; frame: Frame }) =>
  days.map(({ date, mark }, index) =>
    mark ? (
      <rect
        key={date}
        data-mark={mark}
        x={frame.x(index) + (frame.pitch - MARK.width) / 2}
        y={frame.base + 3}
        {...MARK}
        rx={1}
        fill={`var(--t-${mark})`}
      />
    ) : null,
  );

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
export function BarChart({ days, width, height, hoveredDate, onHover }: ChartProps<BarDay>) {
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
    <svg width={width} height={height} aria-hidden style={{ display: 'block' }} onPointerLeave={() => onHover(null)}>
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
      <DayMarks days={days} frame={frame} />
      <DayLabels days={days} frame={frame} height={height} />
      <DayAreas {...{ days, frame, height, hoveredDate, onHover }} />
    </svg>
  );
}

export function LineChart({ days, width, height, hoveredDate, onHover }: ChartProps<LineDay>) {
  const frame = frameOf(days, width, height, axisTicks(Math.max(...days.map((day) => day.cost ?? 0), 0.01)), LABEL_HEIGHT + PAD);
  const points = days
    .flatMap(({ cost }, index) => (cost === null ? [] : [`${frame.x(index) + frame.pitch / 2},${frame.y(cost)}`]))
    .join(' ');
  return (
    <svg width={width} height={height} aria-hidden style={{ display: 'block' }} onPointerLeave={() => onHover(null)}>
      <Grid frame={frame} width={width} />
      <polyline points={points} fill="none" stroke="var(--t-data-2)" strokeWidth={1.5} strokeLinejoin="round" />
      <DayLabels days={days} frame={frame} height={height} />
      <DayAreas {...{ days, frame, height, hoveredDate, onHover }} />
    </svg>
  );
}
