import type pg from 'pg';
import type { ConnectorContext, Fence, LoadedSlice, Page, Slice } from '../../kit/contract.js';
import type { Database } from '../connection/connection.js';
import { PagesFailed } from '../errors.js';
import { claimRun } from './fence.js';
import { replaceSlice } from './replace.js';
import { stagePages } from './staging.js';
import { tableNameOf } from '../tables/names.js';
import { inTransaction } from '../connection/transaction.js';

export async function writeSlice(
  database: Database,
  { signal }: ConnectorContext,
  slice: Slice,
  pages: AsyncIterable<Page>,
  fence: Fence,
): Promise<LoadedSlice> {
  const { settings, limits } = database;
  try {
    const work = async (client: pg.PoolClient): Promise<LoadedSlice> => {
      await claimRun(client, database, fence);
      const staged = await stagePages(client, slice.stream, pages, { signal, answerMs: limits.answerMs });
      await inTransaction(client, limits, () => replaceSlice(client, database, slice, staged, fence, signal));
      return { rowsWritten: staged.rows, bytes: staged.bytes };
    };
    return await database.use(signal, work, tableNameOf(settings, slice.stream));
  } catch (error) {
    // Errors of the source are rethrown unchanged.
    throw error instanceof PagesFailed ? error.cause : error;
  }
}
