import type { AdAccount, RunSummary } from '~/api/types';
import type { CoverageCell } from '~/domain/connections/coverage';
import { cellFacts } from '~/domain/connections/coverage-facts';
import type { LoadedDay } from '~/domain/connections/coverage-facts';
import { formatDayRange, formatMoment } from '~/lib/dates';
import { formatPast } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';
import { kindText } from '~/features/connections/runs/describe-run';
import styles from './CellCard.module.css';

export interface Reading {
  account: AdAccount;
  cell: CoverageCell<LoadedDay>;
  /** Where the cell is in the grid, in px. */
  place: { x: number; y: number };
}

/** `Initial load, Tue, Nov 17, 14:02`; a run that is not in the list of recent runs has no known kind. */
export function runText(runId: string | null, runs: RunSummary[], now: Date): string {
  if (runId === null) return '—';
  const run = runs.find(({ id }) => id === runId);
  return run ? `${kindText(run)}, ${formatMoment(run.startedAt ?? run.queuedAt, now)}` : 'An earlier run';
}

interface CellCardProps {
  reading: Reading;
  runs: RunSummary[];
}

/** The cell under the pointer or with the focus, in words. Assistive technology reads the name of the cell itself. */
export function CellCard({ reading: { account, cell, place }, runs }: CellCardProps) {
  const now = useNow(300_000);
  const facts = cellFacts(cell.days, account.currency);
  const lines = [
    ['State', facts.state],
    ['Rows', facts.rows],
    ['Cost', facts.cost],
    ['Last read', facts.lastReadAt ? formatPast(facts.lastReadAt, now) : 'Never'],
    ['Run', runText(facts.runId, runs, now)],
  ];
  return (
    <div
      className={styles.card}
      style={{ '--cell-x': `${place.x}px`, '--cell-y': `${place.y}px` } as React.CSSProperties}
      aria-hidden
    >
      <p className={styles.title}>
        {account.name}, {formatDayRange(cell.from, cell.to, now)}
      </p>
      <dl className={styles.facts}>
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
