import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { AccountVerification } from '~/api/types';
import { formatMoney } from '~/domain/billing/money';
import { formatCount } from '~/lib/numbers';
import { Section } from '~/ui/layout/Page';
import { Status } from '~/components/status/Status';
import table from '~/ui/layout/Table.module.css';
import styles from './RunVerification.module.css';

function verdict({ rowsExpected, rowsFound, isEqual }: AccountVerification): string {
  if (isEqual) return 'Match';
  if (rowsFound < rowsExpected) return `${formatCount(rowsExpected - rowsFound)} missing`;
  return rowsFound > rowsExpected ? `${formatCount(rowsFound - rowsExpected)} extra` : 'Cost differs';
}

const Verdict = ({ row }: { row: AccountVerification }) => (
  <Status icon={row.isEqual ? IconCircleCheck : IconCircleX} tone={row.isEqual ? 'good' : 'danger'}>
    {verdict(row)}
  </Status>
);

function Row({ row }: { row: AccountVerification }) {
  const differs = (isEqual: boolean) => (isEqual ? undefined : true);
  const costExpected = formatMoney(row.costMicrosExpected, row.currency);
  const costFound = formatMoney(row.costMicrosFound, row.currency);
  return (
    <tr>
      <td>
        {row.accountName}
        <span className={styles.phone}>
          <span data-differs={differs(row.rowsExpected === row.rowsFound)}>{formatCount(row.rowsFound)}</span> of{' '}
          {formatCount(row.rowsExpected)} rows
          <br />
          <span data-differs={differs(costExpected === costFound)}>{costFound}</span> of {costExpected}
        </span>
      </td>
      <td className={`${table.number} ${styles.expected}`}>{formatCount(row.rowsExpected)}</td>
      <td className={`${table.number} ${styles.found}`} data-differs={differs(row.rowsExpected === row.rowsFound)}>
        {formatCount(row.rowsFound)}
      </td>
      <td className={`${table.number} ${styles.expected}`}>{costExpected}</td>
      <td className={`${table.number} ${styles.found}`} data-differs={differs(row.costMicrosExpected === row.costMicrosFound)}>
        {costFound}
      </td>
      <td className={styles.verdict}>
        <Verdict row={row} />
      </td>
    </tr>
  );
}

/** Rows and cost in the source and in the destination, by account. */
export const RunVerification = ({ rows, from, to }: { rows: AccountVerification[]; from: string; to: string }) => (
  <Section title="Verification" aside={`Source ${from}, destination ${to}`}>
    <table className={`${table.table} ${styles.table}`}>
      <thead>
        <tr>
          <th scope="col">Account</th>
          {['Rows expected', 'Found', 'Cost expected', 'Found'].map((label, index) => (
            <th key={index} scope="col" className={`${table.number} ${styles.expected}`}>
              {label}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">Verdict</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.accountId} row={row} />
        ))}
      </tbody>
    </table>
  </Section>
);
