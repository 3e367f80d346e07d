import { Injectable } from '@nestjs/common';
import { compileSchema, type EventCheck } from './check-event.js';
import type { EventSchema } from './event-schema.js';

/** Each schema takes at most about 100 kB of memory. */
const MAX_CACHED = 100;

/** Cache of compiled schemas by app and schema version; the least recently used one is dropped. */
@Injectable()
export class CompiledSchemas {
  private readonly kept = new Map<string, EventCheck>();

  of(appId: string, version: number, schema: EventSchema): EventCheck {
    const key = `${appId} ${version}`;
    const check = this.kept.get(key) ?? compileSchema(schema);
    this.kept.delete(key);
    this.kept.set(key, check);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_CACHED && oldest !== undefined) this.kept.delete(oldest);
    return check;
  }
}
