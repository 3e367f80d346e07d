import { createHash } from 'node:crypto';
import type { Fence, Slice, Stream } from '../kit/contract.js';
import type { DestinationSettings } from './settings.js';

export function tableNameOf({ tablePrefix }: Pick<DestinationSettings, 'tablePrefix'>, stream: Stream): string {
  return `${tablePrefix}${stream.table}`;
}

/** What jobs and staging tables of one worker's go at one slice are called: the same for the same go, different for all others. */
export function sliceName(fence: Fence, { stream, account, from, to }: Slice): string {
  return hashOf([fence.runId, String(fence.leaseEpoch), stream.name, account.externalId, from, to]);
}

/** Letters and digits, so that anything may be part of a name. */
export function hashOf(parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
