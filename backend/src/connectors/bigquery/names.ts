import { createHash } from 'node:crypto';
import type { Fence, Slice, Stream } from '../kit/contract.js';
import type { DestinationSettings } from './settings.js';

export function tableNameOf({ tablePrefix }: Pick<DestinationSettings, 'tablePrefix'>, stream: Stream): string {
  return `${tablePrefix}${stream.table}`;
}

/** Base name of jobs and staging tables: unique per slice, run and worker. */
export function sliceName(fence: Fence, { stream, account, from, to }: Slice): string {
  return hashOf([fence.runId, String(fence.leaseEpoch), stream.name, account.externalId, from, to]);
}

/** A hash of letters and digits, allowed in any name. */
export function hashOf(parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
