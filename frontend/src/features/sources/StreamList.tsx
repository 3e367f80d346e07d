import type { CatalogStream } from '../../api/types';
import { plural } from '../../lib/numbers';
import { levelWord } from '../../api/offered-streams';
import styles from './SourcePage.module.css';

/** The tables that result, with what each row is about. */
export function StreamList({ streams, provider }: { streams: CatalogStream[]; provider: string }) {
  if (streams.length === 0) return <p className="quiet">Nothing: choose a finer level or more breakdowns.</p>;
  return (
    <ul className={styles.streams}>
      {streams.map(({ name, title, table, level, columns }) => (
        <li key={name}>
          <code>{table}</code>
          <span className={styles.about}>
            {title}, by {levelWord(level, provider).toLowerCase()}
          </span>
          <span className="label">{plural(columns.length, 'column')}</span>
        </li>
      ))}
    </ul>
  );
}
