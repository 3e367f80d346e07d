import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { Coverage, CoverageDay } from '~/api/types';
import { coverageWords, toCells } from '~/domain/connections/coverage';
import type { CoverageCell } from '~/domain/connections/coverage';
import { addDays, formatDay, formatDayRange } from '~/lib/dates';
import { formatCount } from '~/lib/numbers';
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
  onChoose: (cell: SelectedCell) => void;
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

interface AccountCellsProps extends Pick<HeatGridProps, 'chosen' | 'onChoose'> {
  account: Coverage['accounts'][number]['account'];
  cells: Cell[];
  cellProps: (cell: number) => ReturnType<ReturnType<typeof useGridFocus>['cellProps']>;
}

function AccountCells({ account, cells, chosen, onChoose, cellProps }: AccountCellsProps) {
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
          aria-selected={isChosen(cell, account.externalId, chosen)}
          aria-label={`${account.name}, ${formatDayRange(cell.from, cell.to, now)}: ${coverageWords[cell.state]}, ${formatCount(cell.days.reduce((sum, day) => sum + day.rows, 0))} rows`}
          onClick={() => onChoose({ accountId: account.externalId, from: cell.from, to: cell.to })}
        >
          <CellMark state={cell.state} />
        </button>
      ))}
    </span>
  );
}

function CompleteThrough({ day, lastDay }: { day: string | null; lastDay: string }) {
  const now = useNow(300_000);
  return (
    <span role="gridcell" className={styles.through} data-behind={day === null || day < addDays(lastDay, -1) || undefined}>
      <span className={styles.phoneWord}>through </span>
      {day ? formatDay(day, now) : '—'}
    </span>
  );
}

export function HeatGrid({ coverage, daysPerCell, chosen, onChoose }: HeatGridProps) {
  const { ref, maxCells, hasWidth } = useFittingCells();
  const rows = coverage.accounts.map(({ account, days, completeThrough }) => ({
    account,
    completeThrough,
    cells: toCells(days, daysPerCell, maxCells),
  }));
  const { onKeyDown, cellProps } = useGridFocus(rows.length, rows[0]?.cells.length ?? 0);
  return (
    <div ref={ref} className={styles.grid} role="grid" aria-label="Coverage by account and day" onKeyDown={onKeyDown}>
      {hasWidth && (
        <>
          <div className={styles.head} aria-hidden>
            <span className="label">Account</span>
            <Dates cells={rows[0]?.cells ?? []} daysPerCell={daysPerCell} />
            <span className={`label ${styles.through}`}>Through</span>
          </div>
          {rows.map(({ account, cells, completeThrough }, row) => (
            <div key={account.externalId} role="row" className={styles.row}>
              <span role="rowheader" className={styles.account}>
                {account.name} <span className={`mono ${styles.id}`}>{account.externalId.slice(-4)}</span>
              </span>
              <AccountCells
                account={account}
                cells={cells}
                chosen={chosen}
                onChoose={onChoose}
                cellProps={(cell) => cellProps([row, cell])}
              />
              <CompleteThrough day={completeThrough} lastDay={coverage.to} />
            </div>
          ))}
        </>
      )}
    </div>
  );
}
