import { setImmediate as nextTurn } from 'node:timers/promises';
import { Unzip, UnzipInflate } from 'fflate';
import { CorruptAnswer } from '../kit/errors.js';
import { NOTHING_TO_DO } from '../kit/error-table.js';

/** Unpacks in small pieces. Compressed data can grow to thirty times its size and would block the event loop. */
const PIECE_BYTES = 16 * 1024;

/** The single file of a ZIP archive, unpacked while it arrives. */
export async function* unzip(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const file = new OneFile();
  for await (const part of archive) {
    for (let start = 0; start < part.length; start += PIECE_BYTES) {
      const unpacked = file.push(part.subarray(start, start + PIECE_BYTES));
      if (unpacked.length === 0) continue;
      yield* unpacked;
      await nextTurn();
    }
  }
  yield* file.end();
}

class OneFile {
  private readonly unpacker = new Unzip();
  private files = 0;
  private isWhole = false;
  private parts: Uint8Array[] = [];

  constructor() {
    this.unpacker.register(UnzipInflate);
    this.unpacker.onfile = (file) => {
      this.files += 1;
      file.ondata = (error, part, isLast) => {
        if (error) throw error;
        this.parts.push(part);
        this.isWhole ||= isLast;
      };
      file.start();
    };
  }

  push(piece: Uint8Array, isLast = false): Uint8Array[] {
    try {
      this.unpacker.push(piece, isLast);
    } catch (cause) {
      throw brokenArchive('unpacking failed', cause);
    }
    if (this.files > 1) throw brokenArchive(`expected 1 file, found ${this.files}`);
    return this.parts.splice(0);
  }

  end(): Uint8Array[] {
    const rest = this.push(new Uint8Array(0), true);
    if (this.files === 0) throw brokenArchive('expected 1 file, found 0');
    if (!this.isWhole) throw brokenArchive('it is truncated');
    return rest;
  }
}

function brokenArchive(what: string, cause?: unknown): CorruptAnswer {
  return new CorruptAnswer(
    {
      code: 'microsoft_ads.broken_archive',
      message: `The file of the Microsoft Advertising report is incomplete: ${what}. Nothing of the chunk was loaded.`,
      action: NOTHING_TO_DO,
    },
    { cause },
  );
}
