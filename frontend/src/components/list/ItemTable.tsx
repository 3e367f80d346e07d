import type { Icon } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { ProviderMark } from '~/components/status/ProviderMark';
import { Status } from '~/components/status/Status';
import type { Tone } from '~/domain/connections/connection-state';
import { formatDayRange } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { Loading, Skeleton } from '~/ui/feedback/Skeleton';
import table from '~/ui/layout/Table.module.css';
import styles from './ItemTable.module.css';

interface Item {
  id: string;
  provider: string;
  name: string;
  appName: string;
  /** The number of connections that use the item. */
  usedBy: number;
  earliestDataAt: string | null;
  latestDataAt: string | null;
}

interface ItemTableProps<One extends Item> {
  items: One[];
  to: (item: One) => string;
  /** The second column: what the item consists of. */
  detailLabel: string;
  detail: (item: One) => React.ReactNode;
  status: (item: One) => { icon: Icon; tone: Tone; word: string };
}

function Row<One extends Item>({ item, to, detail, status }: Omit<ItemTableProps<One>, 'items' | 'detailLabel'> & { item: One }) {
  const now = useNow(300_000);
  const { earliestDataAt, latestDataAt } = item;
  const usedBy = item.usedBy === 0 ? null : plural(item.usedBy, 'connection');
  const { icon, tone, word } = status(item);
  const data = earliestDataAt && latestDataAt ? formatDayRange(earliestDataAt, latestDataAt, now) : null;
  return (
    <tr data-link>
      <td>
        <span className={styles.identity}>
          <ProviderMark provider={item.provider} />
          <span>
            <Link to={to(item)} className={table.name}>
              {item.name}
            </Link>
            <span className={table.second}>
              {item.appName}
              <span className={styles.narrow}>{[usedBy, data].filter((part) => part !== null).map((part) => `, ${part}`)}</span>
            </span>
          </span>
        </span>
      </td>
      <td>{detail(item)}</td>
      <td>
        <Status icon={icon} tone={tone}>
          {word}
        </Status>
      </td>
      <td className={styles.wide}>{usedBy ?? '—'}</td>
      <td className={styles.wide}>{data ?? '—'}</td>
    </tr>
  );
}

const Table = ({ detailLabel, children }: { detailLabel: string; children: React.ReactNode }) => (
  <table className={`${table.table} ${styles.items}`} data-rows="two">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">{detailLabel}</th>
        <th scope="col">State</th>
        <th scope="col" className={styles.wide}>
          Used by
        </th>
        <th scope="col" className={styles.wide}>
          Data
        </th>
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

/** The table of the sources or destinations of an organization. */
export const ItemTable = <One extends Item>({ items, detailLabel, ...row }: ItemTableProps<One>) => (
  <Table detailLabel={detailLabel}>
    {items.map((item) => (
      <Row key={item.id} item={item} {...row} />
    ))}
  </Table>
);

const SKELETON_ROWS = 6;

/** The same table while its rows are loading. */
export const ItemTableSkeleton = ({ label, detailLabel }: { label: string; detailLabel: string }) => (
  <Loading label={label}>
    <Table detailLabel={detailLabel}>
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <tr key={row}>
          <td>
            <span className={styles.identity}>
              <Skeleton width={20} height={20} />
              <span className={styles.lines}>
                <Skeleton width={120} />
                <Skeleton width={140} height={10} />
              </span>
            </span>
          </td>
          <td>
            <Skeleton width={160} />
          </td>
          <td>
            <Skeleton width={72} />
          </td>
          <td className={styles.wide}>
            <Skeleton width={76} />
          </td>
          <td className={styles.wide}>
            <Skeleton width={112} />
          </td>
        </tr>
      ))}
    </Table>
  </Loading>
);
