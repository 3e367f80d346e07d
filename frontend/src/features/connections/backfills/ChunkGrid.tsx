import { useBackfill } from '~/api/connections/backfills';
import type { Backfill, BackfillChunk, Connection } from '~/api/types';
import { chunkMarks, chunkRows, chunkText } from '~/domain/connections/backfill';
import { plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { CellMark } from '~/features/connections/coverage/CoverageCell';
import styles from './Backfills.module.css';

/** Rows of streams and accounts that are shown. More would make the page slow. */
const MOST_ROWS = 100;

function Chunk({ chunk, now }: { chunk: BackfillChunk; now: Date }) {
  const text = chunkText(chunk, now);
  return (
    <li title={text}>
      <CellMark state={chunkMarks[chunk.state]} />
      <span className="visually-hidden">{text}</span>
    </li>
  );
}

/** One row for each stream and account, one cell for each chunk, oldest first. */
export function ChunkGrid({ backfill, connection }: { backfill: Backfill; connection: Connection }) {
  const now = useNow(300_000);
  const { data, error, mutate } = useBackfill(useOrganizationId(), connection.id, backfill.id);
  const nameOf = (accountId: string) =>
    connection.source.accounts.find(({ externalId }) => externalId === accountId)?.name ?? accountId;
  return (
    <LoadedContent
      data={data}
      error={error}
      reload={mutate}
      errorTitle="Couldn’t load the chunks"
      skeleton={<TableSkeleton label="Loading chunks" rows={2} widths={[140, '60%']} />}
    >
      {({ chunks }) => {
        const rows = chunkRows(chunks);
        return (
          <div className={styles.grid} role="group" aria-label="Chunks">
            {rows.slice(0, MOST_ROWS).map((row) => (
              <div key={`${row.stream}/${row.accountId}`} className={styles.row}>
                <span className={styles.name}>
                  {nameOf(row.accountId)} <code>{row.stream}</code>
                </span>
                <ul className={styles.cells} aria-label={`${nameOf(row.accountId)}, ${row.stream}`}>
                  {row.chunks.map((chunk) => (
                    <Chunk key={chunk.id} chunk={chunk} now={now} />
                  ))}
                </ul>
              </div>
            ))}
            {rows.length > MOST_ROWS && (
              <p className="label">{plural(rows.length - MOST_ROWS, 'more row is', 'more rows are')} not shown.</p>
            )}
          </div>
        );
      }}
    </LoadedContent>
  );
}
