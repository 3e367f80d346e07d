import type { Coverage } from '~/api/types';
import { coverageWords, worstState } from '~/domain/connections/coverage';
import { formatDayRange } from '~/lib/dates';
import { formatMoney, sumMicros } from '~/domain/billing/money';
import { formatCount } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { formatAccountId } from '~/domain/accounts/account-tree';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { RelativeTime } from '~/ui/data/RelativeTime';
import styles from './CellDetails.module.css';

export interface SelectedCell {
  accountId: string;
  from: string;
  to: string;
}

/** Both cells and the days between them. */
export const extended = (one: SelectedCell, other: SelectedCell): SelectedCell => ({
  accountId: other.accountId,
  from: one.from < other.from ? one.from : other.from,
  to: one.to > other.to ? one.to : other.to,
});

interface CellDetailsProps {
  chosen: SelectedCell | null;
  coverage: Coverage;
  /** Actions for the selected days. */
  children: React.ReactNode;
}

type Days = Coverage['accounts'][number]['days'];

const NOT_LOADED = new Set(['missing', 'loading', 'failed']);

/** A day with rows is not complete if it was read before its end. */
function completeText(days: Days): string {
  if (days.every((day) => day.isComplete)) return 'Yes';
  return days.some((day) => NOT_LOADED.has(day.state)) ? 'No' : 'Not yet: read before the day ended';
}

export function CellDetails({ chosen, coverage, children }: CellDetailsProps) {
  const now = useNow();
  const row = coverage.accounts.find(({ account }) => account.externalId === chosen?.accountId);
  if (!chosen || !row) return <p className={styles.hint}>Select a day for details, or several with Shift.</p>;
  const days = row.days.filter(({ date }) => date >= chosen.from && date <= chosen.to);
  const changes = days.flatMap((day) => (day.lastChangedAt ? [day.lastChangedAt] : [])).toSorted();
  return (
    <section className={styles.details} aria-live="polite" aria-label="Selected days">
      <h2>
        {row.account.name}, {formatDayRange(chosen.from, chosen.to, now)}
      </h2>
      <DescriptionList
        facts={[
          { label: 'State', value: coverageWords[worstState(days)] },
          { label: 'Complete', value: completeText(days) },
          { label: 'Account', value: <code>{formatAccountId(row.account.externalId)}</code> },
          { label: 'Rows', value: formatCount(days.reduce((sum, day) => sum + day.rows, 0)) },
          { label: 'Cost', value: formatMoney(sumMicros(days.map((day) => day.costMicros)), row.account.currency) },
          { label: 'Revisions', value: formatCount(days.reduce((sum, day) => sum + day.revisions, 0)) },
          { label: 'Last changed', value: <RelativeTime at={changes.at(-1) ?? null} isFocusable /> },
        ]}
      />
      {children}
    </section>
  );
}
