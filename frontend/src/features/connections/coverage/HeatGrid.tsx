import { useElementSize, useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import type { Coverage, CoverageDay, RunSummary } from '~/api/types';
import { isBehind, toCells, toColumns } from '~/domain/connections/coverage';
import type { CoverageCell, DayRange } from '~/domain/connections/coverage';
import { cellFacts, cellText } from '~/domain/connections/coverage-facts';
import { dayIn, formatDay, formatDayRange } from '~/lib/dates';
import { formatPast } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';
import { CellCard } from './CellCard';
import type { Reading } from './CellCard';
import { CellMark } from './CoverageCell';
import styles from './HeatGrid.module.css';
import type { SelectedCell } from './selection';
import { useDrag } from './use-drag';
import { useGridFocus } from './use-grid-focus';
import type { Position } from './use-grid-focus';

const PITCH = 20;
/** Width of the name column and of the "Through" column, in px. */
const SIDES = 180 + 72;
const PHONE_CELLS = 28;

type Cell = CoverageCell<CoverageDay>;

interface HeatGridProps {
  coverage: Coverage;
  daysPerCell: number;
  chosen: SelectedCell | null;
  /** Extending selects from the chosen cell to this one. */
  onChoose: (cell: SelectedCell, isExtending: boolean) => void;
  /** The recent runs. */
  runs: RunSummary[];
}

function useFittingCells() {
  const { ref, width } = useElementSize();
  const isPhone = useMediaQuery('(max-width: 767.98px)', undefined, { getInitialValueInEffect: false }) ?? false;
  return { ref, maxCells: isPhone ? PHONE_CELLS : Math.max(7, Math.floor((width - SIDES) / PITCH)), hasWidth: width > 0 };
}

const isChosen = (cell: Cell, accountId: string, chosen: SelectedCell | null): boolean =>
  chosen !== null && chosen.accountId === accountId && cell.from >= chosen.from && cell.to <= chosen.to;

/** Whether the selection begins or ends with the cell: Shift with an arrow extends it from there. */
const isAtEdge = (cell: SelectedCell, chosen: SelectedCell | null): boolean =>
  chosen !== null && chosen.accountId === cell.accountId && (chosen.from === cell.from || chosen.to === cell.to);

function Dates({ columns, daysPerCell }: { columns: DayRange[]; daysPerCell: number }) {
  const now = useNow(300_000);
  const every = daysPerCell === 1 ? 7 : 4;
  return (
    <div className={styles.dates} role="presentation">
      {columns.map(({ from }, index) => {
        const fromEnd = columns.length - 1 - index;
        const isLabelled = fromEnd % every === Math.min(3, every - 1) && index > 0;
        return (
          <span key={from} className={styles.date}>
            {isLabelled && <span>{formatDay(from, now)}</span>}
          </span>
        );
      })}
    </div>
  );
}

const Head = (props: { columns: DayRange[]; daysPerCell: number }) => (
  <div className={styles.head} aria-hidden>
    <span className="label">Account</span>
    <Dates {...props} />
    <span className={`label ${styles.through}`}>Through</span>
  </div>
);

type Account = Coverage['accounts'][number]['account'];

interface AccountCellsProps extends Pick<HeatGridProps, 'chosen' | 'onChoose'> {
  account: Account;
  cells: (Cell | null)[];
  columns: DayRange[];
  onRead: (reading: Reading) => void;
  /** First day of the cell that is read. */
  readFrom: string | null;
  cellProps: (cell: number) => ReturnType<ReturnType<typeof useGridFocus>['cellProps']>;
  dragProps: ReturnType<typeof useDrag>;
}

const toSelected = ({ externalId }: Account, { from, to }: Cell): SelectedCell => ({ accountId: externalId, from, to });

/** The facts of the card, for assistive technology. */
function nameOf(account: Account, cell: Cell, now: Date): string {
  const { lastReadAt } = cellFacts(cell.days, account.currency);
  const read = lastReadAt ? `, last read ${formatPast(lastReadAt, now)}` : '';
  return `${account.name}, ${formatDayRange(cell.from, cell.to, now)}: ${cellText(cell.days, account.currency)}${read}`;
}

/** A day that has not begun in the time zone of the account, or is before its first day. */
const NoDay = ({ label, ...props }: { label: string } & ReturnType<AccountCellsProps['cellProps']>) => (
  <button {...props} type="button" role="gridcell" aria-disabled aria-label={label} className={styles.cell} data-empty />
);

function AccountCells(props: AccountCellsProps) {
  const { account, cells, columns, chosen, onChoose, cellProps, dragProps, onRead, readFrom } = props;
  const now = useNow(300_000);
  const read = (cell: Cell, element: HTMLElement) =>
    onRead({ account, cell, place: { x: element.offsetLeft + element.offsetWidth / 2, y: element.offsetTop } });
  return (
    <span className={styles.cells} role="presentation">
      {columns.map(({ from, to }, index) => {
        const cell = cells[index];
        if (!cell)
          return <NoDay key={from} {...cellProps(index)} label={`${account.name}, ${formatDayRange(from, to, now)}: no data`} />;
        return (
          <button
            key={from}
            {...cellProps(index)}
            {...dragProps(toSelected(account, cell))}
            type="button"
            role="gridcell"
            className={styles.cell}
            data-read={cell.from === readFrom || undefined}
            onMouseEnter={({ currentTarget }) => read(cell, currentTarget)}
            onFocusCapture={({ currentTarget }) => read(cell, currentTarget)}
            aria-selected={isChosen(cell, account.externalId, chosen)}
            aria-label={nameOf(account, cell, now)}
            onClick={({ shiftKey }) => onChoose(toSelected(account, cell), shiftKey)}
          >
            <CellMark state={cell.state} />
          </button>
        );
      })}
    </span>
  );
}

const AccountName = ({ name, externalId }: Account) => (
  <span role="rowheader" className={styles.account}>
    {name} <span className={`mono ${styles.id}`}>{externalId.slice(-4)}</span>
  </span>
);

function CompleteThrough({ account, days, completeThrough: day }: Coverage['accounts'][number]) {
  const now = useNow(300_000);
  return (
    <span role="gridcell" className={styles.through} data-behind={isBehind(days, day, dayIn(account.timeZone, now)) || undefined}>
      <span className={styles.phoneWord}>through </span>
      {day ? formatDay(day, now) : '—'}
    </span>
  );
}

/** Escape hides the card, wherever the focus is. */
function useEscape(isActive: boolean, onEscape: () => void): void {
  useWindowEvent('keydown', (event) => {
    if (isActive && event.key === 'Escape') onEscape();
  });
}

export function HeatGrid({ coverage, daysPerCell, chosen, onChoose, runs }: HeatGridProps) {
  const { ref, maxCells, hasWidth } = useFittingCells();
  const columns = toColumns(
    coverage.accounts.map(({ days }) => days),
    daysPerCell,
    maxCells,
  );
  const rows = coverage.accounts.map((row) => ({ ...row, cells: toCells(row.days, columns) }));
  const selectedAt = ([row, cell]: Position): SelectedCell | null => {
    const [account, at] = [rows[row]?.account, rows[row]?.cells[cell]];
    return account && at ? toSelected(account, at) : null;
  };
  const extend = (from: Position, to: Position) => {
    const [first, next] = [selectedAt(from), selectedAt(to)];
    if (first && !isAtEdge(first, chosen)) onChoose(first, false);
    if (next) onChoose(next, true);
  };
  const { onKeyDown, cellProps } = useGridFocus({ rows: rows.length, cells: columns.length, onExtend: extend });
  const dragProps = useDrag({ onStart: (cell) => onChoose(cell, false), onMove: (cell) => onChoose(cell, true) });
  const [reading, setReading] = useState<Reading | null>(null);
  const hide = () => setReading(null);
  useEscape(reading !== null, hide);
  return (
    <div
      ref={ref}
      className={styles.grid}
      role="grid"
      aria-label="Coverage by account and day"
      aria-multiselectable
      onKeyDown={onKeyDown}
      onMouseLeave={hide}
      onBlur={hide}
    >
      {hasWidth && (
        <>
          <Head columns={columns} daysPerCell={daysPerCell} />
          {rows.map(({ cells, ...entry }, row) => (
            <div
              key={entry.account.externalId}
              role="row"
              className={styles.row}
              data-read={reading?.account.externalId === entry.account.externalId || undefined}
            >
              <AccountName {...entry.account} />
              <AccountCells
                {...{ account: entry.account, cells, columns, chosen, onChoose, dragProps }}
                onRead={setReading}
                readFrom={reading?.cell.from ?? null}
                cellProps={(cell) => cellProps([row, cell])}
              />
              <CompleteThrough {...entry} />
            </div>
          ))}
          {reading && <CellCard reading={reading} runs={runs} />}
        </>
      )}
    </div>
  );
}
