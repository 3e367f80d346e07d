import { IconCircleCheck, IconCircleHalf2, IconCircleMinus, IconCircleX } from '@tabler/icons-react';
import type { AccountVerification } from '~/api/types';
import { verdictOf } from '~/domain/connections/run-facts';
import { formatMoney } from '~/domain/billing/money';
import { formatCount } from '~/lib/numbers';
import { Section } from '~/ui/layout/Page';
import { Status } from '~/components/status/Status';
import table from '~/ui/layout/Table.module.css';
import styles from './RunVerification.module.css';

const icons = { good: IconCircleCheck, warn: IconCircleHalf2, danger: IconCircleX, idle: IconCircleMinus };

function Verdict({ row }: { row: AccountVerification }) {
  const { text, tone } = verdictOf(row);
  return (
    <Status icon={icons[tone]} tone={tone}>
      {text}
    </Status>
  );
}

/** An account of which nothing was read. Zeros would look like a result. */
const UnreadRow = ({ row }: { row: AccountVerification }) => (
  <tr>
    <td>{row.accountName}</td>
    {['rows', 'rows found', 'cost', 'cost found'].map((cell) => (
      <td key={cell} className={`${table.number} ${styles.expected}`}>
        —
      </td>
    ))}
    <td className={styles.verdict}>
      <Verdict row={row} />
    </td>
  </tr>
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
        {rows.map((row) =>
          row.slicesCompared === 0 ? <UnreadRow key={row.accountId} row={row} /> : <Row key={row.accountId} row={row} />,
        )}
      </tbody>
    </table>
  </Section>
);
