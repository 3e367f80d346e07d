import { Checkbox, Popover } from '@mantine/core';
import type { CatalogStream } from '../../api/types';
import table from '../../ui/Table.module.css';
import styles from './Steps.module.css';

/** Every column of a stream, with its meaning. All of them are written. */
function Fields({ stream }: { stream: CatalogStream }) {
  return (
    <Popover width={360} position="bottom-start" trapFocus>
      <Popover.Target>
        <button type="button" className={styles.fields} aria-label={`Fields of ${stream.name}`}>
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
}

interface StreamTableProps {
  streams: CatalogStream[];
  prefix: string;
  chosen: string[];
  onChange: (names: string[]) => void;
}

export function StreamTable({ streams, prefix, chosen, onChange }: StreamTableProps) {
  const isAll = streams.every(({ name }) => chosen.includes(name));
  const toggle = (name: string) => onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return (
    <table className={`${table.table} ${styles.streams}`}>
      <thead>
        <tr>
          <th scope="col" className={table.fit}>
            <Checkbox
              checked={isAll}
              indeterminate={!isAll && chosen.length > 0}
              onChange={() => onChange(isAll ? [] : streams.map(({ name }) => name))}
              aria-label="All streams"
            />
          </th>
          <th scope="col">Stream</th>
          <th scope="col">Fields</th>
          <th scope="col" className={styles.table}>
            Table
          </th>
        </tr>
      </thead>
      <tbody>
        {streams.map((stream) => (
          <tr key={stream.name}>
            <td>
              <Checkbox checked={chosen.includes(stream.name)} onChange={() => toggle(stream.name)} aria-label={stream.name} />
            </td>
            <td>
              <code>{stream.name}</code>
              <span className={table.second}>{stream.description}</span>
            </td>
            <td>
              <Fields stream={stream} />
            </td>
            <td className={styles.table}>
              <code>
                {prefix}
                {stream.table}
              </code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
