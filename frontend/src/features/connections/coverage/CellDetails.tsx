import { Link } from 'react-router-dom';
import type { Coverage, CoverageDay, RunSummary } from '~/api/types';
import { cellFacts } from '~/domain/connections/coverage-facts';
import { useRunLink } from '~/features/connections/use-run-link';
import { formatDayRange } from '~/lib/dates';
import { formatCount } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { formatAccountId } from '~/domain/accounts/account-tree';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { runText } from './CellCard';
import type { SelectedCell } from './selection';
import styles from './CellDetails.module.css';

interface CellDetailsProps {
  chosen: SelectedCell | null;
  coverage: Coverage;
  runs: RunSummary[];
  /** Actions for the selected days. */
  children: (days: CoverageDay[]) => React.ReactNode;
}

type Days = Coverage['accounts'][number]['days'];

const NOT_LOADED = new Set(['missing', 'loading', 'failed']);

/** A day with rows is not complete if it was read before its end. */
function completeText(days: Days): string {
  if (days.every((day) => day.isComplete)) return 'Yes';
  return days.some((day) => NOT_LOADED.has(day.state)) ? 'No' : 'Not yet: read before the day ended';
}

/** Opens the run that last read the days. */
function RunLink({ runId, runs }: { runId: string | null; runs: RunSummary[] }) {
  const linkTo = useRunLink();
  const now = useNow();
  const text = runText(runId, runs, now);
  if (runId === null) return <>{text}</>;
  return <Link to={linkTo(runId)}>{text}</Link>;
}

export function CellDetails({ chosen, coverage, runs, children }: CellDetailsProps) {
  const now = useNow();
  const row = coverage.accounts.find(({ account }) => account.externalId === chosen?.accountId);
  if (!chosen || !row) return <p className={styles.hint}>Select a day for details, or several by dragging or with Shift.</p>;
  const days = row.days.filter(({ date }) => date >= chosen.from && date <= chosen.to);
  const facts = cellFacts(days, row.account.currency);
  return (
    <section className={styles.details} aria-live="polite" aria-label="Selected days">
      <h2>
        {row.account.name}, {formatDayRange(chosen.from, chosen.to, now)}
      </h2>
      <DescriptionList
        facts={[
          { label: 'State', value: facts.state },
          { label: 'Complete', value: completeText(days) },
          { label: 'Account', value: <code>{formatAccountId(row.account.externalId)}</code> },
          { label: 'Rows', value: facts.rows },
          { label: 'Cost', value: facts.cost },
          { label: 'Revisions', value: formatCount(days.reduce((sum, day) => sum + day.revisions, 0)) },
          { label: 'Last read', value: <RelativeTime at={facts.lastReadAt} isFocusable /> },
          { label: 'Last changed', value: <RelativeTime at={facts.lastChangedAt} isFocusable /> },
          { label: 'Run', value: <RunLink runId={facts.runId} runs={runs} /> },
        ]}
      />
      {children(days)}
    </section>
  );
}
