import { Checkbox } from '@mantine/core';
import table from '~/ui/layout/Table.module.css';
import { breakdownWord, levelWord } from '~/api/offered-streams';
import type { CatalogStream, Destination } from '~/api/types';
import type { ExcludedColumns } from './excluded-columns';
import { toggleHashed, writtenHashed } from './hashed-fields';
import type { HashedByStream } from './hashed-fields';
import { groupStreams, targetNameOf, verificationText, writeModeOf } from './stream-choice';
import { formatEstimate } from '~/lib/numbers';
import { Skeleton } from '~/ui/feedback/Skeleton';
import { StreamFields } from './StreamFields';
import type { Hashing } from './StreamFields';
import styles from './StreamTable.module.css';

interface StreamTableProps {
  streams: CatalogStream[];
  sourceProvider: string;
  destination: Pick<Destination, 'provider' | 'settings'>;
  chosen: string[];
  leftOut: ExcludedColumns;
  onChange: (names: string[]) => void;
  onLeaveOut: (leftOut: ExcludedColumns) => void;
  /** Omitted where fields cannot be hashed. */
  hashed?: HashedByStream;
  onHash?: (hashed: HashedByStream) => void;
  isLocked?: boolean;
  /** Rows of 30 days by stream, where an estimate is shown: undefined while it is loading. */
  rowsPerMonth?: RowsPerMonth;
}

export interface RowsPerMonth {
  isLoading: boolean;
  byStream: Record<string, number>;
}

const notes = {
  tables:
    'Excluded columns aren’t created. Existing ones stay and get NULL from now on. When you include a column again, all days are reloaded.',
  events: 'Excluded properties are missing in all events from now on.',
};

const hashNotes = {
  tables: 'A hashed field is stored as SHA-256 instead of its text.',
  events: 'A hashed field is sent as SHA-256 instead of its text. Sent events cannot be changed.',
};

type RowProps = Omit<StreamTableProps, 'streams' | 'sourceProvider'> & { stream: CatalogStream };

/** Only selected streams are measured. */
function Rows({ name, isChosen, rows }: { name: string; isChosen: boolean; rows: RowsPerMonth }) {
  const count = rows.byStream[name];
  if (isChosen && count !== undefined) return <>{formatEstimate(count)}</>;
  return isChosen && rows.isLoading ? <Skeleton width={48} /> : <>—</>;
}

/** The fields of a stream that are hashed, and the change of them. */
function hashingOf({ stream: { name }, destination, leftOut, hashed, onHash }: RowProps): Hashing | undefined {
  if (!hashed || !onHash) return undefined;
  return {
    hashed: writtenHashed(hashed[name], leftOut[name]),
    onToggle: (field) => onHash({ ...hashed, [name]: toggleHashed(hashed[name] ?? [], field) }),
    note: destination.provider === 'mixpanel' ? hashNotes.events : hashNotes.tables,
  };
}

function StreamRow(props: RowProps) {
  const { stream, destination, chosen, leftOut, onChange, onLeaveOut, isLocked = false, rowsPerMonth } = props;
  const { name } = stream;
  const hashing = hashingOf(props);
  const isChosen = chosen.includes(name);
  return (
    <tr>
      <td>
        <Checkbox
          checked={isChosen}
          disabled={isLocked}
          onChange={() => onChange(isChosen ? chosen.filter((one) => one !== name) : [...chosen, name])}
          aria-label={name}
        />
      </td>
      <td>
        <code>{name}</code>
        {stream.breakdowns.length > 0 && (
          <span className={styles.breakdowns}> by {stream.breakdowns.map(breakdownWord).join(', ').toLowerCase()}</span>
        )}
        <span className={table.second}>{stream.description}</span>
        <span className={table.second}>{verificationText[stream.verification]}</span>
      </td>
      <td>
        <StreamFields
          stream={stream}
          leftOut={leftOut[name] ?? []}
          onChange={(columns) => onLeaveOut({ ...leftOut, [name]: columns })}
          note={destination.provider === 'mixpanel' ? notes.events : notes.tables}
          hashing={hashing}
          isLocked={isLocked}
        />
        {hashing && hashing.hashed.length > 0 && (
          <span className={`${table.second} ${styles.hashed}`}>{hashing.hashed.length} hashed</span>
        )}
        {rowsPerMonth && isChosen && (
          <span className={styles.phoneRows}>
            <Rows name={name} isChosen={isChosen} rows={rowsPerMonth} /> {rowsPerMonth.byStream[name] === 1 ? 'row' : 'rows'} a
            month
          </span>
        )}
      </td>
      {rowsPerMonth && (
        <td className={`${table.number} ${styles.rows}`}>
          <Rows name={name} isChosen={isChosen} rows={rowsPerMonth} />
        </td>
      )}
      <td className={styles.mode}>
        {writeModeOf(destination)}
        <code className={table.second}>{targetNameOf(stream, destination)}</code>
      </td>
    </tr>
  );
}

function Head({ streams, chosen, onChange, isLocked, destination, rowsPerMonth }: StreamTableProps) {
  const isAll = streams.every(({ name }) => chosen.includes(name));
  return (
    <thead>
      <tr>
        <th scope="col" className={table.fit}>
          <Checkbox
            checked={isAll}
            disabled={isLocked}
            indeterminate={!isAll && chosen.length > 0}
            onChange={() => onChange(isAll ? [] : streams.map(({ name }) => name))}
            aria-label="All streams"
          />
        </th>
        <th scope="col">Stream</th>
        <th scope="col">Fields</th>
        {rowsPerMonth && (
          <th scope="col" className={`${table.number} ${styles.rows}`}>
            Rows a month
          </th>
        )}
        <th scope="col" className={styles.mode}>
          Sync mode and {destination.provider === 'mixpanel' ? 'event' : 'table'}
        </th>
      </tr>
    </thead>
  );
}

/** The choice of streams: the unified table of all platforms first, then the platform's reports by level. */
export function StreamTable(props: StreamTableProps) {
  const { streams, sourceProvider } = props;
  return (
    <table className={`${table.table} ${styles.streams}`}>
      <Head {...props} />
      {groupStreams(streams).map(({ level, streams: own }) => (
        <tbody key={level ?? 'all'}>
          <tr className={styles.level}>
            <th scope="rowgroup" colSpan={props.rowsPerMonth ? 5 : 4}>
              {level === null ? 'All platforms' : levelWord(level, sourceProvider)}
            </th>
          </tr>
          {own.map((stream) => (
            <StreamRow key={stream.name} {...props} stream={stream} />
          ))}
        </tbody>
      ))}
    </table>
  );
}
