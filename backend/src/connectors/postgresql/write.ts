import type { ConnectorContext, Fence, LoadedSlice, Page, Slice } from '../kit/contract.js';
import type { Database } from './connection.js';
import { toDestinationError } from './errors.js';
import { claimRun } from './fence.js';
import { replaceSlice } from './replace.js';
import { PagesFailed, stagePages } from './staging.js';

/** On any error the connection is thrown away: its transaction and its temporary tables go with it. */
export async function writeSlice(
  database: Database,
  context: ConnectorContext,
  slice: Slice,
  pages: AsyncIterable<Page>,
  fence: Fence,
): Promise<LoadedSlice> {
  const client = await database.connect().catch((error: unknown) => {
    throw toDestinationError(error, database.settings);
  });
  try {
    await claimRun(client, database.settings.schema, fence);
    const staged = await stagePages(client, slice.stream, pages, context.signal);
    await replaceSlice(client, database.settings, slice, staged, fence, context.signal);
    client.release();
    return { rowsWritten: staged.rows, bytes: staged.bytes };
  } catch (error) {
    client.release(true);
    if (context.signal.aborted) throw context.signal.reason;
    // What the source has thrown stays what it is, whatever its class.
    throw error instanceof PagesFailed ? error.cause : toDestinationError(error, database.settings);
  }
}
