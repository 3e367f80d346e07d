import type { ConnectorContext, Fence, Replacement, Stream, TableReplacement, Target } from '../../kit/contract.js';
import { quoteText } from '../../kit/quote-text.js';
import { swapEnded } from '../errors.js';
import { BigQueryFailure } from '../failure.js';
import type { Jobs } from '../jobs.js';
import { RESYNC_LABEL, SWAP_ENDED } from '../markers.js';
import { readDataset } from '../dataset.js';
import { tableNameOf } from '../names.js';
import { removalRequest } from '../staging.js';
import { isOwn, targetOf } from '../tables.js';
import { assertReplaceable, isKept, readOldTable, refused } from './old-table.js';
import { swapStatement } from './statement.js';
import { endSwap, endSwaps, lockTable, swapBase } from './swap-locks.js';

/** Errors of the replacing statement that come from the tables or the settings. A repetition would fail as well. */
const LASTING_REASONS = new Set(['invalid', 'invalidQuery', 'resourcesExceeded', 'responseTooLarge']);

/**
 * BigQuery's transactions exclude DDL, so the fence is a row that the replacing statement needs and that every load of the table sees.
 * @param claim registers the worker of a run that had no slice to write
 */
export function tableReplacement(
  jobs: Jobs,
  claim: (context: ConnectorContext, fence: Fence) => Promise<void>,
): TableReplacement {
  return {
    inspect: (context, stream) => inspect(jobs, context, stream),
    isSwapped: (context, pair, loaded) => isSwapped(jobs, context, pair, loaded),
    swap: async (context, replacement, fence) => {
      await claim(context, fence);
      return swap(jobs, context, replacement, fence);
    },
    drop: async (context, beside) => {
      await endSwapsOf(jobs, context, beside);
      await dropBeside(jobs, context, beside);
    },
  };
}

async function inspect({ api }: Jobs, context: ConnectorContext, stream: Stream): Promise<Target | null> {
  const old = await readOldTable(api, context, stream);
  if (!old) return null;
  await assertReplaceable(api, context, stream, old);
  const kept = old.schema.fields.filter((field) => isKept(stream, field));
  return targetOf(api, stream, { ...old, schema: { fields: kept } });
}

/** First ends what an earlier worker left running: afterwards its statement can no longer replace the table. */
async function isSwapped(
  jobs: Jobs,
  context: ConnectorContext,
  { stream, beside }: Pick<Replacement, 'stream' | 'beside'>,
  loaded: Target,
): Promise<boolean> {
  await endSwapsOf(jobs, context, beside);
  const table = await readOldTable(jobs.api, context, stream);
  const isThere = table?.labels[RESYNC_LABEL] === loaded.place.slice(loaded.place.lastIndexOf('@') + 1);
  if (isThere) await dropBeside(jobs, context, beside);
  return isThere;
}

const endSwapsOf = (jobs: Jobs, context: ConnectorContext, beside: Stream): Promise<void> =>
  endSwaps(jobs, context, (swap) => swap.beside === tableNameOf(jobs.api.destination, beside));

/** Other loads of the table wait from the lock on. Readers find the old table until the statement has ended. */
async function swap(jobs: Jobs, context: ConnectorContext, replacement: Replacement, fence: Fence): Promise<Target> {
  const { api } = jobs;
  const { stream, beside } = replacement;
  await endSwapsOf(jobs, context, beside);
  const [table, besideTable] = [stream, beside].map((one) => tableNameOf(api.destination, one)) as [string, string];
  const lock = await lockTable(jobs, context, { table, beside: besideTable }, fence);
  const old = await readOldTable(api, context, stream);
  if (old) await assertReplaceable(api, context, stream, old);
  const next = await readOldTable(api, context, beside);
  if (!next) throw refused('The new table was deleted', 'Cancel the re-sync and start it again');
  const dataset = (await readDataset(api, context)) ?? {};
  const query = swapStatement(api.destination, replacement, { old, next, dataset }, lock);
  await jobs.runQuery(context, swapBase(lock), query, []).catch((error: unknown) => {
    throw reasonOf(error);
  });
  await endSwap(jobs, context, lock);
  await dropBeside(jobs, context, beside);
  const swapped = await readOldTable(api, context, stream);
  if (!swapped) throw refused('The table was deleted right after the swap', 'Run the connection again');
  return targetOf(api, stream, swapped);
}

function reasonOf(error: unknown): unknown {
  if (!(error instanceof BigQueryFailure) || error.message.includes(SWAP_ENDED)) return error;
  if (error.reason === 'bytesBilledLimitExceeded')
    return refused(
      'The swap would read more data than this destination allows',
      'Increase the limit per query in the destination settings, then re-sync again',
      { cause: error },
    );
  // The re-sync was canceled meanwhile, or a user deleted a table: the next attempt finds out which. The statement changes all or nothing.
  if (error.reason === 'notFound') return swapEnded({ cause: error });
  if (!LASTING_REASONS.has(error.reason)) return error;
  return refused(
    `BigQuery cannot replace the table: ${quoteText(error.message)}`,
    'Correct or remove what prevents it, then re-sync again',
    { cause: error },
  );
}

async function dropBeside({ api }: Jobs, context: ConnectorContext, beside: Stream): Promise<void> {
  const found = await readOldTable(api, context, beside);
  if (!found || !isOwn(found)) return;
  await api.send(context, removalRequest(api, tableNameOf(api.destination, beside))).then((answer) => answer.text());
}
