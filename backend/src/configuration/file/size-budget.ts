import { CONFIGURATION_BODY_BYTES, CONFIGURATION_BOUNDS } from '../../core/http/body-limits.js';
import { assertBounded } from '../../core/http/json-bounds.js';
import { Problem } from '../../core/http/problem.js';
import type { ConnectionCursors } from './flows.dto.js';

const UNBOUNDED = { levels: Infinity, fields: Infinity, items: Infinity, values: Infinity };

/** How many bytes and values can still be added to a file, so that an import accepts it. */
export class SizeBudget {
  private bytes = CONFIGURATION_BODY_BYTES;
  private values = CONFIGURATION_BOUNDS.values;

  /** Throws a problem if the file is too large without any cursors. */
  constructor(file: object) {
    if (this.reserve(JSON.stringify(file))) return;
    const [megabytes, values] = [CONFIGURATION_BODY_BYTES / 1_000_000, CONFIGURATION_BOUNDS.values.toLocaleString('en')];
    throw new Problem('configuration.too_large', {
      detail: `The file would have more than ${megabytes} MB or ${values} values.`,
      action: 'Delete what is no longer used',
    });
  }

  /** Whether the cursors of a connection fit. They then count as added. */
  addCursors(cursors: ConnectionCursors): boolean {
    return this.reserve(`,"cursors":${JSON.stringify(cursors)}`);
  }

  private reserve(json: string): boolean {
    const bytes = Buffer.from(json);
    const values = assertBounded(bytes, UNBOUNDED);
    if (bytes.length > this.bytes || values > this.values) return false;
    this.bytes -= bytes.length;
    this.values -= values;
    return true;
  }
}
