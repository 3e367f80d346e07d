import type { Slice } from './contract.js';

/** The columns that choose a slice's rows in its table, beside the days: its account, and whose rows they are in a shared table. */
export function sliceColumns({ stream, account }: Slice): { column: string; value: string }[] {
  return [{ column: 'account_id', value: account.externalId }, ...(stream.scope ? [stream.scope] : [])];
}
