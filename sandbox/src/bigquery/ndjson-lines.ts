import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { JobFailed } from './jobs.ts';

/** The lines of the uploaded bytes, in batches. gzip is detected by its first two bytes. */
export async function* readLines(media: Buffer[]): AsyncGenerator<string[]> {
  const isGzip = media[0]?.[0] === 0x1f && media[0]?.[1] === 0x8b;
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const part of isGzip ? Readable.from(media).pipe(createGunzip()) : media) {
      const bytes = Buffer.concat([rest, part as Buffer]);
      const end = bytes.lastIndexOf(0x0a) + 1;
      rest = bytes.subarray(end);
      if (end > 0) yield linesOf(bytes.subarray(0, end));
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    const message = `Error while reading data, error message: The file is no complete gzip: ${error.message}`;
    throw new JobFailed([{ reason: 'invalid', message }]);
  }
  if (rest.length > 0) yield linesOf(rest);
}

function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
