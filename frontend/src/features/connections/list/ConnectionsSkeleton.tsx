import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import table from '~/ui/layout/Table.module.css';
import cards from './ConnectionCards.module.css';
import { ConnectionsHead } from './ConnectionsHead';
import styles from './ConnectionsSkeleton.module.css';
import columns from './ConnectionsTable.module.css';
import view from './ConnectionsView.module.css';
import counters from './Counters.module.css';

const ROWS = [96, 130, 104, 150, 116, 140, 124, 100];

/** A line of text that is loading. */
const Line = ({ width, isSecond = false }: { width: number; isSecond?: boolean }) => (
  <span className={styles.line} data-second={isSecond || undefined}>
    <Skeleton width={width} height={isSecond ? 9 : 11} />
  </span>
);

const Row = ({ width }: { width: number }) => (
  <tr>
    <td className={table.fit}>
      <Skeleton width={16} height={16} />
    </td>
    <td>
      <span className={columns.identity}>
        <Skeleton width={60} height={20} />
        <span className={columns.words}>
          <Line width={width} />
          <Line width={120} isSecond />
        </span>
      </span>
    </td>
    <td>
      <Line width={width - 24} />
      <Line width={width} isSecond />
    </td>
    <td>
      <Line width={64} />
      <Line width={52} isSecond />
    </td>
    <td className={columns.lastRun}>
      <Line width={56} />
    </td>
    <td className={columns.nextRun}>
      <Line width={64} />
    </td>
    <td className={columns.days}>
      <Skeleton width={119} height={20} />
    </td>
    <td className={columns.schedule}>
      <Line width={60} />
      <Line width={44} isSecond />
    </td>
    <td className={table.fit}>
      <Skeleton width={32} height={18} radius={9} />
    </td>
    <td className={table.fit} />
  </tr>
);

const Card = ({ width }: { width: number }) => (
  <li className={cards.card}>
    <div className={cards.head}>
      <Skeleton width={60} height={20} />
      <span className={cards.name}>
        <Line width={width} />
      </span>
      <Skeleton width={32} height={18} radius={9} />
    </div>
    <div className={cards.foot}>
      <Line width={width + 60} />
      <Skeleton width={71} height={20} />
    </div>
  </li>
);

const CountersSkeleton = () => (
  <div className={counters.counters}>
    {[28, 92, 40, 30, 42].map((width, index) => (
      <div key={index} className={counters.counter}>
        <span className={counters.count}>
          <Skeleton width={28} height={16} />
        </span>
        <Line width={width} isSecond />
      </div>
    ))}
  </div>
);

/** Has the columns, rows and places of the list, and as many rows as the organization has connections. */
export function ConnectionsSkeleton({ count, isPhone }: { count: number | undefined; isPhone: boolean }) {
  const rows = ROWS.slice(0, count ?? ROWS.length);
  return (
    <Loading label="Loading connections">
      <CountersSkeleton />
      <div className={view.tools}>
        <span className={view.filters}>
          <span className={view.search} data-search>
            <Skeleton width="100%" height={32} radius={6} />
          </span>
        </span>
        {isPhone && <Skeleton width={65} height={32} radius={6} />}
      </div>
      {isPhone ? (
        <ul className={cards.cards}>
          {rows.map((width, index) => (
            <Card key={index} width={width} />
          ))}
        </ul>
      ) : (
        <table className={`${table.table} ${columns.table}`} data-rows="two" aria-hidden>
          <ConnectionsHead select={<Skeleton width={16} height={16} />} />
          <tbody>
            {rows.map((width, index) => (
              <Row key={index} width={width} />
            ))}
          </tbody>
        </table>
      )}
    </Loading>
  );
}
