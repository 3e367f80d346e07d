import { Popover } from '@mantine/core';
import type { CatalogStream } from '../../api/types';
import styles from './Steps.module.css';

/** Every column of a stream, with its meaning. All of them are written. */
export const StreamFields = ({ stream }: { stream: CatalogStream }) => (
  <Popover width={360} position="bottom-start" trapFocus>
    <Popover.Target>
      <button
        type="button"
        className={styles.fields}
        aria-label={`${stream.columns.length} of ${stream.columns.length} fields of ${stream.name}`}
      >
        {stream.columns.length} of {stream.columns.length}
      </button>
    </Popover.Target>
    <Popover.Dropdown>
      <div className={styles.fieldList} tabIndex={0} role="region" aria-label={`Fields of ${stream.title}`}>
        {stream.columns.map((column) => (
          <div key={column.name}>
            <code>{column.name}</code> <span className="label">{column.type}</span>
            {stream.key.includes(column.name) && <span className="label">, key</span>}
            <p className="label">{column.description}</p>
          </div>
        ))}
      </div>
    </Popover.Dropdown>
  </Popover>
);
