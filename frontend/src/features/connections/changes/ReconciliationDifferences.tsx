import type { Reconciliation, ReconciliationDifference } from '~/api/types';
import { formatMoney } from '~/domain/billing/money';
import { formatDayRange } from '~/lib/dates';
import { formatCount } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import table from '~/ui/layout/Table.module.css';
import styles from './Changes.module.css';

const kinds = { lost: 'Lost', restated: 'Restated', late: 'Late', excluded: 'Excluded' };

function Sums({ difference: { loaded, platform, currency } }: { difference: ReconciliationDifference }) {
  const rows = [
    { label: 'Cost', before: formatMoney(loaded.costMicros, currency), after: formatMoney(platform.costMicros, currency) },
    { label: 'Clicks', before: formatCount(loaded.clicks), after: formatCount(platform.clicks) },
    { label: 'Impressions', before: formatCount(loaded.impressions), after: formatCount(platform.impressions) },
  ].filter(({ before, after }) => before !== after);
  return rows.map(({ label, before, after }) => (
    <div key={label}>
      {label}: {before} of {after}
    </div>
  ));
}

export function ReconciliationDifferences({ entry }: { entry: Reconciliation }) {
  const now = useNow(300_000);
  const { lostAccountDays, restatedAccountDays, lateAccountDays, excludedAccountDays } = entry;
  const shown = entry.differences.reduce((sum, { days }) => sum + days, 0);
  const hidden = lostAccountDays + restatedAccountDays + lateAccountDays + excludedAccountDays - shown;
  return (
    <>
      <div className={table.scroll}>
        <table className={`${table.table} ${styles.differences}`}>
          <thead>
            <tr>
              <th scope="col">Difference</th>
              <th scope="col">Days</th>
              <th scope="col">Loaded of the platform’s total</th>
            </tr>
          </thead>
          <tbody>
            {entry.differences.map((difference) => (
              <tr key={`${difference.stream} ${difference.accountId} ${difference.reason} ${difference.from}`}>
                <td>
                  <strong>{kinds[difference.kind]}</strong>
                  <span className={table.second}>{difference.reason}</span>
                </td>
                <td>
                  {formatDayRange(difference.from, difference.to, now)}
                  <span className={table.second}>
                    {difference.accountName}, <code>{difference.stream}</code>
                  </span>
                </td>
                <td>
                  <Sums difference={difference} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hidden > 0 && <p className="label">{formatCount(hidden)} more account-days are not listed.</p>}
    </>
  );
}
