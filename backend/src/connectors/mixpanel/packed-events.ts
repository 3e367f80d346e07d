import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { parseJson } from './answers.js';
import type { MixpanelEvent } from './held.js';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** As an import takes them: a JSON array, a twentieth of its size. Each event is JSON already. */
export function packEvents(events: string[]): Promise<Buffer> {
  return pack(`[${events.join(',')}]`);
}

export async function unpackEvents(packed: Buffer): Promise<MixpanelEvent[]> {
  return parseJson((await unpack(packed)).toString('utf8')) as MixpanelEvent[];
}
