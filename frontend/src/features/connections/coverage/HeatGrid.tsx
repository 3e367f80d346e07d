import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { Coverage, CoverageDay } from '~/api/types';
import { coverageWords, isBehind, toCells } from '~/domain/connections/coverage';
import type { CoverageCell } from '~/domain/connections/coverage';
import { dayIn, formatDay, formatDayRange } from '~/lib/dates';
import { formatMoney, sumMicros } from '~/domain/billing/money';
import { formatCount } from '~/lib/numbers';
import { formatPast } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';
import type { SelectedCell } from './CellDetails';
import { CellMark } from './CoverageCell';
import styles from './HeatGrid.module.css';

const PITCH = 20;
/** Width of the name column and of the "Through" column, in px. */
const SIDES = 180 + 72;
const PHONE_CELLS = 28;

type Cell = CoverageCell<CoverageDay>;

const MOVES: Record<string, [rows: number, cells: number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

const clamp = (value: number, length: number): number => Math.min(Math.max(value, 0), length - 1);

interface HeatGridProps {
  coverage: Coverage;
  daysPerCell: number;
  chosen: SelectedCell | null;
  /** Extending selects from the chosen cell to this one. */
  onChoose: (cell: SelectedCell, isExtending: boolean) => void;
}

function useFittingCells() {
  const { ref, width } = useElementSize();
  const isPhone = useMediaQuery('(max-width: 767.98px)', undefined, { getInitialValueInEffect: false }) ?? false;
  return { ref, maxCells: isPhone ? PHONE_CELLS : Math.max(7, Math.floor((width - SIDES) / PITCH)), hasWidth: width > 0 };
}

const isChosen = (cell: Cell, accountId: string, chosen: SelectedCell | null): boolean =>
  chosen !== null && chosen.accountId === accountId && cell.from >= chosen.from && cell.to <= chosen.to;

function Dates({ cells, daysPerCell }: { cells: Cell[]; daysPerCell: number }) {
  const now = useNow(300_000);
  const every = daysPerCell === 1 ? 7 : 4;
  return (
    <div className={styles.dates} role="presentation">
      {cells.map((cell, index) => {
        const fromEnd = cells.length - 1 - index;
        const isLabelled = fromEnd % every === Math.min(3, every - 1) && index > 0;
        return (
          <span key={cell.from} className={styles.date}>
            {isLabelled && <span>{formatDay(cell.from, now)}</span>}
          </span>
        );
      })}
    </div>
  );
}

type Position = [row: number, cell: number];

/** Arrow keys, Home and End move the focus between the cells. Only the focused cell is in the tab order. */
function useGridFocus(rows: number, cells: number) {
  const [focus, setFocus] = useState<Position | null>(null);
  const elements = useRef(new Map<string, HTMLButtonElement>());
  const [focusRow, focusCell] = focus ?? [0, cells - 1];
  return {
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.key === 'Home' ? [0, -cells] : event.key === 'End' ? [0, cells] : MOVES[event.key];
      if (!step) return;
      event.preventDefault();
      const next: Position = [clamp(focusRow + (step[0] ?? 0), rows), clamp(focusCell + (step[1] ?? 0), cells)];
      setFocus(next);
      elements.current.get(next.join())?.focus();
    },
    cellProps: ([row, cell]: Position) => ({
      ref: (element: HTMLButtonElement | null) => {
        if (element) elements.current.set([row, cell].join(), element);
      },
      tabIndex: row === focusRow && cell === clamp(focusCell, cells) ? 0 : -1,
      onFocus: () => setFocus([row, cell]),
    }),
  };
}

type Account = Coverage['accounts'][number]['account'];

interface Reading {
  account: Account;
  cell: Cell;
}

/** The cell under the pointer or with the focus, in words. Assistive technology reads the name of the cell itself. */
function ReadingLine({ reading }: { reading: Reading | null }) {
  const now = useNow(300_000);
  if (!reading) return <p className={styles.reading} aria-hidden />;
  const { account, cell } = reading;
  const changes = cell.days.flatMap((day) => (day.lastChangedAt ? [day.lastChangedAt] : [])).toSorted();
  const last = changes.at(-1);
  const parts = [
    coverageWords[cell.state],
    `${formatCount(cell.days.reduce((sum, day) => sum + day.rows, 0))} rows`,
    formatMoney(sumMicros(cell.days.map((day) => day.costMicros)), account.currency),
    ...(last ? [`changed ${formatPast(last, now)}`] : []),
  ];
  return (
    <p className={styles.reading} aria-hidden>
      <strong>
        {account.name}, {formatDayRange(cell.from, cell.to, now)}
      </strong>{' '}
      {parts.join(' · ')}
    </p>
  );
}

interface AccountCellsProps extends Pick<HeatGridProps, 'chosen' | 'onChoose'> {
  account: Account;
  cells: Cell[];
  onRead: (reading: Reading) => void;
  /** First day of the cell that is read. */
  readFrom: string | null;
  cellProps: (cell: number) => ReturnType<ReturnType<typeof useGridFocus>['cellProps']>;
}

function AccountCells({ account, cells, chosen, onChoose, cellProps, onRead, readFrom }: AccountCellsProps) {
  const now = useNow(300_000);
  return (
    <span className={styles.cells} role="presentation">
      {cells.map((cell, index) => (
        <button
          key={cell.from}
          {...cellProps(index)}
          type="button"
          role="gridcell"
          className={styles.cell}
          data-read={cell.from === readFrom || undefined}
          onMouseEnter={() => onRead({ account, cell })}
          onFocusCapture={() => onRead({ account, cell })}
          aria-selected={isChosen(cell, account.externalId, chosen)}
          aria-label={`${account.name}, ${formatDayRange(cell.from, cell.to, now)}: ${coverageWords[cell.state]}, ${formatCount(cell.days.reduce((sum, day) => sum + day.rows, 0))} rows`}
          onClick={({ shiftKey }) => onChoose({ accountId: account.externalId, from: cell.from, to: cell.to }, shiftKey)}
        >
          <CellMark state={cell.state} />
        </button>
      ))}
    </span>
  );
}

function CompleteThrough({ account, days, completeThrough: day }: Coverage['accounts'][number]) {
  const now = useNow(300_000);
  return (
    <span role="gridcell" className={styles.through} data-behind={isBehind(days, day, dayIn(account.timeZone, now)) || undefined}>
      <span className={styles.phoneWord}>through </span>
      {day ? formatDay(day, now) : '—'}
    </span>
  );
}

export function HeatGrid({ coverage, daysPerCell, chosen, onChoose }: HeatGridProps) {
  const { ref, maxCells, hasWidth } = useFittingCells();
  const rows = coverage.accounts.map((row) => ({ ...row, cells: toCells(row.days, daysPerCell, maxCells) }));
  const { onKeyDown, cellProps } = useGridFocus(rows.length, rows[0]?.cells.length ?? 0);
  const [reading, setReading] = useState<Reading | null>(null);
  return (
    <div
      ref={ref}
      className={styles.grid}
      role="grid"
      aria-label="Coverage by account and day"
      onKeyDown={onKeyDown}
      onMouseLeave={() => setReading(null)}
    >
      {hasWidth && (
        <>
          <div className={styles.head} aria-hidden>
            <span className="label">Account</span>
            <Dates cells={rows[0]?.cells ?? []} daysPerCell={daysPerCell} />
            <span className={`label ${styles.through}`}>Through</span>
          </div>
          {rows.map(({ cells, ...entry }, row) => (
            <div
              key={entry.account.externalId}
              role="row"
              className={styles.row}
              data-read={reading?.account.externalId === entry.account.externalId || undefined}
            >
              <span role="rowheader" className={styles.account}>
                {entry.account.name} <span className={`mono ${styles.id}`}>{entry.account.externalId.slice(-4)}</span>
              </span>
              <AccountCells
                account={entry.account}
                cells={cells}
                chosen={chosen}
                onChoose={onChoose}
                onRead={setReading}
                readFrom={reading?.cell.from ?? null}
                cellProps={(cell) => cellProps([row, cell])}
              />
              <CompleteThrough {...entry} />
            </div>
          ))}
          <ReadingLine reading={reading} />
        </>
      )}
    </div>
  );
}
