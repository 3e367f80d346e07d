import type { CatalogStream } from '~/api/types';
import { plural } from '~/lib/numbers';
import styles from './SourcePage.module.css';

/** Resulting tables with their contents. */
export function StreamList({ streams }: { streams: CatalogStream[] }) {
  if (streams.length === 0) return <p className="quiet">No tables. Select a finer level or more breakdowns.</p>;
  return (
    <ul className={styles.streams}>
      {streams.map(({ name, title, table, columns }) => (
        <li key={name}>
          <code>{table}</code>
          <span className={styles.about}>{title}</span>
          <span className="label">{plural(columns.length, 'column')}</span>
        </li>
      ))}
    </ul>
  );
}
