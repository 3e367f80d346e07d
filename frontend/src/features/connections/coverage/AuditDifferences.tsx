import type { AuditDifference, DestinationAudit } from '~/api/types';
import { formatDayRange } from '~/lib/dates';
import { formatMoney } from '~/domain/billing/money';
import { formatCount, plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import table from '~/ui/layout/Table.module.css';
import styles from './AuditDifferences.module.css';

/** Describes missing and extra rows, cost and columns. */
function describe({
  rowsMissing,
  rowsExtra,
  costMissingMicros,
  costExtraMicros,
  currency,
  lostColumns,
}: AuditDifference): string {
  const money = (micros: string) => formatMoney(micros, currency || null);
  const parts = [
    rowsMissing > 0 && `${plural(rowsMissing, 'row')} missing`,
    rowsExtra > 0 && `${plural(rowsExtra, 'row')} extra`,
    costMissingMicros !== '0' && `${money(costMissingMicros)} of cost missing`,
    costExtraMicros !== '0' && `${money(costExtraMicros)} of cost extra`,
    lostColumns.length > 0 && `missing columns: ${lostColumns.join(', ')}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'same rows and cost, different values' : parts.join(', ');
}

export function AuditDifferences({ audit }: { audit: DestinationAudit }) {
  const now = useNow(300_000);
  const shown = audit.differences.reduce((sum, { days }) => sum + days, 0);
  return (
    <>
      <div className={table.scroll}>
        <table className={`${table.table} ${styles.differences}`}>
          <thead>
            <tr>
              <th scope="col">Table and account</th>
              <th scope="col">Days</th>
              <th scope="col">Difference</th>
            </tr>
          </thead>
          <tbody>
            {audit.differences.map((difference) => (
              <tr key={`${difference.stream} ${difference.accountId} ${difference.from}`}>
                <td>
                  <code>{difference.table}</code>
                  <span className={table.second}>{difference.accountName}</span>
                </td>
                <td>{formatDayRange(difference.from, difference.to, now)}</td>
                <td>{describe(difference)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown < audit.differingAccountDays && (
        <p className="label">{formatCount(audit.differingAccountDays - shown)} more account-days are not listed.</p>
      )}
    </>
  );
}
