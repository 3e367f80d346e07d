import { Fragment, useState } from 'react';
import { Link } from 'react-router-dom';
import type { RunSummary } from '~/api/types';
import { formatDayHeading, formatTime, localDay } from '~/lib/dates';
import { formatDuration, millisecondsBetween } from '~/lib/durations';
import { useNow } from '~/lib/use-now';
import { useRunLink } from '~/features/connections/use-run-link';
import { RunStatus } from '~/components/status/Status';
import table from '~/ui/layout/Table.module.css';
import { foldRuns, kindText, noteOf, totalsOf } from './describe-run';
import type { FoldedRun } from './describe-run';
import styles from './RunsTable.module.css';

const startOf = (run: RunSummary): string => run.startedAt ?? run.queuedAt;

function byDay(runs: RunSummary[]): [string, RunSummary[]][] {
  const days = new Map<string, RunSummary[]>();
  for (const run of runs) {
    const day = localDay(new Date(startOf(run)));
    days.set(day, [...(days.get(day) ?? []), run]);
  }
  return [...days];
}

function Counts({ runs }: { runs: RunSummary[] }) {
  const { rowsWritten, rowsRejected, apiCalls } = totalsOf(runs);
  return (
    <>
      <td className={table.number}>
        {rowsWritten}
        <span className={styles.unit}> rows</span>
      </td>
      <td className={`${table.number} ${styles.wide}`}>{rowsRejected}</td>
      <td className={`${table.number} ${styles.wide}`}>{apiCalls}</td>
    </>
  );
}

function RunRow({ run }: { run: RunSummary }) {
  const linkTo = useRunLink();
  const now = useNow();
  const tookMs = run.endedAt ? millisecondsBetween(run.startedAt, run.endedAt, now) : null;
  return (
    <tr data-link>
      <td>
        <Link to={linkTo(run.id)} className={table.name}>
          {formatTime(startOf(run))}
        </Link>
      </td>
      <td>
        <RunStatus state={run.state} isStuck={run.isStuck} />
      </td>
      <td className={styles.kind}>{kindText(run)}</td>
      <td className={styles.note}>{noteOf(run)}</td>
      <Counts runs={[run]} />
      <td className={`${table.number} ${styles.took}`}>{tookMs === null ? '—' : formatDuration(tookMs)}</td>
    </tr>
  );
}

function FoldedRow({ folded, onOpen }: { folded: FoldedRun; onOpen: () => void }) {
  const { first, runs } = folded;
  const last = runs.at(-1) ?? first;
  return (
    <tr data-link>
      <td>
        <button type="button" className={styles.fold} onClick={onOpen} aria-label={`Show ${runs.length} runs`}>
          {formatTime(startOf(last))} – {formatTime(startOf(first))}
        </button>
      </td>
      <td>
        <RunStatus state={first.state} />
      </td>
      <td className={styles.kind}>{kindText(first)}</td>
      <td className={styles.note}>
        {runs.length} runs{noteOf(first) && `. Each: ${noteOf(first)}`}
      </td>
      <Counts runs={runs} />
      <td className={`${table.number} ${styles.took}`}>each</td>
    </tr>
  );
}

const HEAD = ['Started', 'State', 'Kind', 'Note'];
const NUMBERS = ['Rows written', 'Rejected', 'API calls', 'Duration'];

export function RunsTable({ runs }: { runs: RunSummary[] }) {
  const now = useNow();
  const [opened, setOpened] = useState<string[]>([]);
  return (
    <table className={`${table.table} ${styles.runs}`}>
      <thead>
        <tr>
          {HEAD.map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
          {NUMBERS.map((label) => (
            <th key={label} scope="col" className={table.number}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {byDay(runs).map(([day, ofDay]) => (
          <Fragment key={day}>
            <tr className={styles.day}>
              <th scope="colgroup" colSpan={HEAD.length + NUMBERS.length}>
                {formatDayHeading(day, now)}
              </th>
            </tr>
            {foldRuns(ofDay).map((folded) =>
              folded.runs.length > 1 && !opened.includes(folded.first.id) ? (
                <FoldedRow key={folded.first.id} folded={folded} onOpen={() => setOpened([...opened, folded.first.id])} />
              ) : (
                folded.runs.map((run) => <RunRow key={run.id} run={run} />)
              ),
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}
