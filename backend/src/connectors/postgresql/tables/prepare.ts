import type pg from 'pg';
import type { Stream, Targets } from '../../kit/contract.js';
import { sweepFences } from '../load/fence-sweep.js';
import { findPrepared } from './prepared.js';
import { changeTables, type Prepared } from './tables.js';

/** Creates or extends the tables of the streams. Takes no lock if nothing changes. */
export async function prepareTables(client: pg.ClientBase, prepared: Prepared, streams: Stream[]): Promise<Targets> {
  const { settings } = prepared;
  const targets = (await findPrepared(client, settings, streams)) ?? (await changeTables(client, prepared, streams));
  await sweepFences(client, `${settings.host}:${settings.port}/${settings.database}/${settings.schema}`, settings.schema);
  return targets;
}
