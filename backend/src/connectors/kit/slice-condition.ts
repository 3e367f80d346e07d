import type { Slice } from './contract.js';

/** The columns besides the date that select a slice's rows in its table: the account and, in a shared table, the platform. */
export function sliceColumns({ stream, account }: Slice): { column: string; value: string }[] {
  return [{ column: 'account_id', value: account.externalId }, ...(stream.scope ? [stream.scope] : [])];
}
