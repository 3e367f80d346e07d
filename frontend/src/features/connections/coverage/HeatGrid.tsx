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

export function HeatGrid({ coverage, daysPerCell, chosen, onChoose }: HeatGridProps) {
  const now = useNow(300_000);
  const { ref, maxCells, hasWidth } = useFittingCells();
  const [focus, setFocus] = useState<[row: number, cell: number] | null>(null);
  const cellRefs = useRef(new Map<string, HTMLButtonElement>());
  const rows = coverage.accounts.map(({ account, days, completeThrough }) => ({
    account,
    completeThrough,
    cells: toCells(days, daysPerCell, maxCells),
  }));
  const width = rows[0]?.cells.length ?? 0;
  const [focusRow, focusCell] = focus ?? [0, width - 1];
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'Home' ? [0, -width] : event.key === 'End' ? [0, width] : MOVES[event.key];
    if (!step) return;
    event.preventDefault();
    const next: [number, number] = [clamp(focusRow + (step[0] ?? 0), rows.length), clamp(focusCell + (step[1] ?? 0), width)];
    setFocus(next);
    cellRefs.current.get(next.join())?.focus();
  };
  return (
    <div ref={ref} className={styles.grid} role="grid" aria-label="Coverage by account and day" onKeyDown={move}>
      {hasWidth && (
        <>
          <div className={styles.head} aria-hidden>
            <span className="label">Account</span>
            <Dates cells={rows[0]?.cells ?? []} daysPerCell={daysPerCell} />
            <span className={`label ${styles.through}`}>Through</span>
          </div>
          {rows.map(({ account, cells, completeThrough }, rowIndex) => (
            <div key={account.externalId} role="row" className={styles.row}>
              <span role="rowheader" className={styles.account}>
                {account.name} <span className={`mono ${styles.id}`}>{account.externalId.slice(-4)}</span>
              </span>
              <span className={styles.cells} role="presentation">
                {cells.map((cell, cellIndex) => (
                  <button
                    key={cell.from}
                    ref={(element) => {
                      if (element) cellRefs.current.set([rowIndex, cellIndex].join(), element);
                    }}
                    type="button"
                    role="gridcell"
                    tabIndex={rowIndex === focusRow && cellIndex === clamp(focusCell, width) ? 0 : -1}
                    className={styles.cell}
                    aria-selected={isChosen(cell, account.externalId, chosen)}
                    aria-label={`${account.name}, ${formatDayRange(cell.from, cell.to, now)}: ${coverageWords[cell.state]}, ${formatCount(cell.days.reduce((sum, day) => sum + day.rows, 0))} rows`}
                    onFocus={() => setFocus([rowIndex, cellIndex])}
                    onClick={() => onChoose({ accountId: account.externalId, from: cell.from, to: cell.to })}
                  >
                    <CellMark state={cell.state} />
                  </button>
                ))}
              </span>
              <span
                role="gridcell"
                className={styles.through}
                data-behind={completeThrough === null || completeThrough < addDays(coverage.to, -1) || undefined}
              >
                <span className={styles.phoneWord}>through </span>
                {completeThrough ? formatDay(completeThrough, now) : '—'}
              </span>
            </div>
          ))}
        </>
      )}
    </div>
  );
}
