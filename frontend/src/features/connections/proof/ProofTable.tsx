import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleHalf2, IconCircleMinus, IconCircleX } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import type { ProofAccount, ProofTotal, RunProof } from '~/api/types';
import { formatMoney, hasCurrency } from '~/domain/billing/money';
import { metricTexts } from '~/domain/connections/proof';
import { verdictOf } from '~/domain/connections/run-facts';
import { formatCount, plural } from '~/lib/numbers';
import { Status } from '~/components/status/Status';
import table from '~/ui/layout/Table.module.css';
import styles from './ProofTable.module.css';

/** Lines shown before "Show all". A printed sheet contains all of them. */
export const FIRST_SHOWN = 4;

const icons = { good: IconCircleCheck, warn: IconCircleHalf2, danger: IconCircleX, idle: IconCircleMinus };

type Sums = ProofAccount | ProofTotal;

function Verdict({ sums }: { sums: Sums }) {
  const { text, tone } = verdictOf({
    ...sums,
    rowsExpected: sums.rowsRead,
    costMicrosExpected: sums.costMicrosRead ?? '0',
    costMicrosFound: sums.costMicrosFound ?? '0',
  });
  return (
    <Status icon={icons[tone]} tone={tone}>
      {text}
    </Status>
  );
}

const differs = (read: unknown, found: unknown) => (read === found ? undefined : true);

interface LineProps {
  sums: Sums;
  name: React.ReactNode;
  isTotal?: boolean;
  isMore: boolean;
}

/** One account, or one currency. Nothing was read of a line without compared chunks: zeros would look like a result. */
function Line({ sums, name, isTotal = false, isMore }: LineProps) {
  const isRead = sums.slicesCompared > 0;
  const count = (value: number) => (isRead ? formatCount(value) : '—');
  const money = (micros: string | null) => (isRead ? formatMoney(micros, sums.currency) : '—');
  const metrics = isRead ? metricTexts(sums) : [];
  const isCostEqual = money(sums.costMicrosRead) === money(sums.costMicrosFound);
  return (
    <tr data-more={isMore || undefined} data-total={isTotal || undefined}>
      <td className={styles.name}>
        {name}
        {metrics.length > 0 && (
          <span className={table.second}>
            {metrics.map(({ text, differs: isDifferent }, index) => (
              <Fragment key={text}>
                {index > 0 && ', '}
                <span data-differs={isDifferent || undefined}>{text}</span>
              </Fragment>
            ))}
          </span>
        )}
        {isRead && (
          <span className={styles.narrow}>
            <span data-differs={differs(sums.rowsRead, sums.rowsFound)}>{count(sums.rowsFound)}</span> of{' '}
            {plural(sums.rowsRead, 'row')}
            {sums.costMicrosRead !== null && hasCurrency(sums.currency) && (
              <>
                <br />
                <span data-differs={isCostEqual ? undefined : true}>{money(sums.costMicrosFound)}</span> of{' '}
                {money(sums.costMicrosRead)}
              </>
            )}
          </span>
        )}
      </td>
      <td className={`${table.number} ${styles.wide}`}>{count(sums.rowsRead)}</td>
      <td className={`${table.number} ${styles.wide}`} data-differs={differs(sums.rowsRead, sums.rowsFound)}>
        {count(sums.rowsFound)}
      </td>
      <td className={`${table.number} ${styles.wide}`}>{money(sums.costMicrosRead)}</td>
      <td className={`${table.number} ${styles.wide}`} data-differs={differs(sums.costMicrosRead, sums.costMicrosFound)}>
        {money(sums.costMicrosFound)}
      </td>
      <td className={styles.verdict}>
        <Verdict sums={sums} />
      </td>
    </tr>
  );
}

export const HEAD = ['Rows read', 'Found', 'Cost read', 'Found'];

export const ProofHead = () => (
  <thead>
    <tr>
      <th scope="col">Account</th>
      {HEAD.map((label, index) => (
        <th key={index} scope="col" className={`${table.number} ${styles.wide}`}>
          {label}
        </th>
      ))}
      <th scope="col">
        <span className="visually-hidden">Verdict</span>
      </th>
    </tr>
  </thead>
);

interface Group {
  stream: string;
  accounts: ProofAccount[];
  /** Currencies with several accounts. */
  totals: ProofTotal[];
}

/** Streams that differ first, as the API lists them. */
const groupsOf = ({ accounts, totals }: RunProof): Group[] =>
  [...new Set(accounts.map(({ stream }) => stream))].map((stream) => ({
    stream,
    accounts: accounts.filter((account) => account.stream === stream),
    totals: totals.filter((total) => total.stream === stream && total.accounts > 1 && total.slicesCompared > 0),
  }));

/** Rows, cost and metrics at both ends, by account and currency. Different currencies are never added. */
export function ProofTable({ proof }: { proof: RunProof }) {
  const [showsAll, setShowsAll] = useState(false);
  const groups = groupsOf(proof);
  const lines = groups.reduce((sum, { accounts, totals }) => sum + accounts.length + totals.length, 0);
  let shown = 0;
  const isMore = () => ++shown > FIRST_SHOWN && !showsAll;
  return (
    <div className={styles.frame}>
      <table className={`${table.table} ${styles.table}`}>
        <ProofHead />
        {groups.map(({ stream, accounts, totals }) => (
          <tbody key={stream}>
            {groups.length > 1 && (
              <tr className={styles.stream} data-more={(shown >= FIRST_SHOWN && !showsAll) || undefined}>
                <th scope="colgroup" colSpan={HEAD.length + 2}>
                  <code>{stream}</code>
                </th>
              </tr>
            )}
            {accounts.map((account) => (
              <Line
                key={account.accountId}
                sums={account}
                isMore={isMore()}
                name={
                  <>
                    {account.accountName} {hasCurrency(account.currency) && <span className="label">{account.currency}</span>}
                  </>
                }
              />
            ))}
            {totals.map((total) => (
              <Line
                key={total.currency}
                sums={total}
                isTotal
                isMore={isMore()}
                name={plural(total.accounts, 'account') + (hasCurrency(total.currency) ? ` in ${total.currency}` : '')}
              />
            ))}
          </tbody>
        ))}
      </table>
      {lines > FIRST_SHOWN && !showsAll && (
        <Button size="xs" variant="subtle" mt={8} ml={-10} data-print="no" onClick={() => setShowsAll(true)}>
          Show all {lines} lines
        </Button>
      )}
    </div>
  );
}
