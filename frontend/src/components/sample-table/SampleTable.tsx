import { useCallback, useState } from 'react';
import type { CatalogStream } from '~/api/types';
import table from '~/ui/layout/Table.module.css';
import { orderSample } from './sample-order';
import styles from './SampleTable.module.css';

interface SampleTableProps {
  sample: { columns: string[]; rows: (string | null)[][] };
  stream: CatalogStream | undefined;
  /** Shown instead of an empty table. */
  none: string;
}

/** Reports whether the element can be scrolled further to the right. */
function useHasMoreRight() {
  const [hasMore, setMore] = useState(false);
  const measure = useCallback((element: HTMLElement | null) => {
    if (element) setMore(element.scrollLeft + element.clientWidth < element.scrollWidth - 1);
  }, []);
  return { hasMore, measure };
}

/** The first rows, unformatted, as they would be written. */
export function SampleTable({ sample, stream, none }: SampleTableProps) {
  const { hasMore, measure } = useHasMoreRight();
  if (sample.rows.length === 0) return <p className="quiet">{none}</p>;
  const columns = orderSample(sample.columns, stream?.columns);
  return (
    <div
      ref={measure}
      onScroll={(event) => measure(event.currentTarget)}
      data-more={hasMore || undefined}
      className={`${table.scroll} ${styles.region}`}
      tabIndex={0}
      role="region"
      aria-label="First rows, as a table"
    >
      <table className={`${table.table} ${styles.sample}`}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" className={isNumber ? table.number : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.rows.map((row, index) => (
            <tr key={index}>
              {columns.map(({ name, index: at, isNumber }) => (
                <td key={name} className={isNumber ? table.number : undefined}>
                  {row[at] ?? '—'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
