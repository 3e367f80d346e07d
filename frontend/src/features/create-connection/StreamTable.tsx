import { Checkbox } from '@mantine/core';
import { breakdownWord, levelWord } from '../../api/offered-streams';
import type { CatalogStream, Destination } from '../../api/types';
import table from '../../ui/Table.module.css';
import styles from './Steps.module.css';
import { groupStreams, targetNameOf } from './stream-choice';
import { StreamFields } from './StreamFields';

interface StreamTableProps {
  streams: CatalogStream[];
  sourceProvider: string;
  destination: Destination;
  chosen: string[];
  onChange: (names: string[]) => void;
}

type RowProps = { stream: CatalogStream; isChosen: boolean; onToggle: () => void; target: string };

const StreamRow = ({ stream, isChosen, onToggle, target }: RowProps) => (
  <tr>
    <td>
      <Checkbox checked={isChosen} onChange={onToggle} aria-label={stream.name} />
    </td>
    <td>
      <code>{stream.name}</code>
      {stream.breakdowns.length > 0 && (
        <span className={styles.breakdowns}> by {stream.breakdowns.map(breakdownWord).join(', ').toLowerCase()}</span>
      )}
      <span className={table.second}>{stream.description}</span>
    </td>
    <td>
      <StreamFields stream={stream} />
    </td>
    <td className={styles.table}>
      <code>{target}</code>
    </td>
  </tr>
);

/** What to bring: the table of all platforms first, then the platform's own reports by level. */
export function StreamTable({ streams, sourceProvider, destination, chosen, onChange }: StreamTableProps) {
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
            {destination.provider === 'mixpanel' ? 'Event' : 'Table'}
          </th>
        </tr>
      </thead>
      {groupStreams(streams).map(({ level, streams: own }) => (
        <tbody key={level ?? 'all'}>
          <tr className={styles.level}>
            <th scope="rowgroup" colSpan={4}>
              {level === null ? 'All platforms' : levelWord(level, sourceProvider)}
            </th>
          </tr>
          {own.map((stream) => (
            <StreamRow
              key={stream.name}
              stream={stream}
              isChosen={chosen.includes(stream.name)}
              onToggle={() => toggle(stream.name)}
              target={targetNameOf(stream, destination)}
            />
          ))}
        </tbody>
      ))}
    </table>
  );
}
