import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import type { SourceRecord } from '../../kit/conversion-source.js';
import { FixSettings } from '../../kit/errors.js';
import { quoteText } from '../../kit/quote-text.js';
import { addField, parseExactly } from '../../kit/records/record-fields.js';
import { parseJson } from '../answers.js';
import { cutExport } from '../errors.js';
import type { ProjectClock } from './project-clock.js';

/** Characters of a block before it is packed. Packing one takes a few milliseconds. */
const BLOCK_LENGTH = 256 * 1024;
const FASTEST = { level: 1 };
const PAGE_RECORDS = 1_000;
/** Digits of a hash that distinguishes events: a collision among a million events occurs on one of a hundred million days. */
const KEY_LENGTH = 11;

const eventSchema = z.object({
  event: z.string(),
  properties: z.object({ time: z.number(), $insert_id: z.string().optional(), mp_processing_time_ms: z.number().default(0) }),
});

export interface DayLimits {
  /** About 100 bytes of memory each, in addition to the packed text. */
  events: number;
  /** Of packed text. Raw events have about ten times as much. */
  bytes: number;
}

export const usualDayLimits: DayLimits = { events: 1_000_000, bytes: 128 * 1024 * 1024 };

/**
 * The events of an export, packed in memory until it is known to be complete. Mixpanel does not deduplicate exports: of events with
 * the same name, time and `$insert_id`, the one that was processed last is kept. The user is not compared, because merged identities
 * change it.
 */
export class DayEvents {
  private readonly limits: DayLimits;
  private readonly name: string;
  private readonly blocks: Buffer[] = [];
  private open: string[] = [];
  private openLength = 0;
  private packedBytes = 0;
  private lines = 0;
  /** Line of the version to keep, and when it was processed, by key. */
  private readonly kept = new Map<string, { line: number; processedAt: number }>();
  private readonly replaced = new Set<number>();

  constructor(name: string, limits: DayLimits) {
    this.name = name;
    this.limits = limits;
  }

  get count(): number {
    return this.lines - this.replaced.size;
  }

  /** Throws for a line that is not an event: part of a record, or the text with which Mixpanel ends an export early. */
  add(text: string): void {
    const { event, properties } = eventSchema.safeParse(parseJson(text)).data ?? notAnEvent();
    const { time, $insert_id: id, mp_processing_time_ms: processedAt } = properties;
    const line = this.lines++;
    if (this.lines > this.limits.events) throw this.tooMany();
    if (id !== undefined)
      this.keepNewest(hash('sha256', JSON.stringify([event, time, id]), 'base64url').slice(0, KEY_LENGTH), { line, processedAt });
    this.open.push(text);
    this.openLength += text.length;
    if (this.openLength >= BLOCK_LENGTH) this.pack();
  }

  *pages(clock: ProjectClock): Generator<{ records: SourceRecord[]; bytes: number }> {
    let [records, bytes, line] = [[] as SourceRecord[], 0, 0];
    for (const text of this.texts()) {
      if (this.replaced.has(line++)) continue;
      records.push(toRecord(text, clock));
      bytes += Buffer.byteLength(text) + 1;
      if (records.length < PAGE_RECORDS) continue;
      yield { records, bytes };
      [records, bytes] = [[], 0];
    }
    if (records.length > 0) yield { records, bytes };
  }

  private *texts(): Generator<string> {
    for (const block of this.blocks) yield* inflateRawSync(block).toString('utf8').split('\n');
    yield* this.open;
  }

  private keepNewest(key: string, found: { line: number; processedAt: number }): void {
    const known = this.kept.get(key);
    if (!known || known.processedAt <= found.processedAt) this.kept.set(key, found);
    if (known) this.replaced.add(known.processedAt <= found.processedAt ? known.line : found.line);
  }

  private pack(): void {
    const block = deflateRawSync(this.open.join('\n'), FASTEST);
    this.blocks.push(block);
    this.packedBytes += block.length;
    [this.open, this.openLength] = [[], 0];
    if (this.packedBytes > this.limits.bytes) throw this.tooMany();
  }

  private tooMany(): FixSettings {
    const { events, bytes } = this.limits;
    return new FixSettings({
      code: 'mixpanel.too_many_events',
      message: `A day has more events ${quoteText(this.name)} than the limit of ${events.toLocaleString('en-US')}, or of ${bytes / 1024 ** 2} MiB compressed.`,
      action: 'Choose an event that is sent less often',
    });
  }
}

function notAnEvent(): never {
  throw cutExport('a line is not an event');
}

/** `properties.time` becomes ISO text in UTC. */
function toRecord(text: string, clock: ProjectClock): SourceRecord {
  const { event, properties } = parseExactly(text) as { event: string; properties: Record<string, unknown> };
  const record: SourceRecord = { event };
  addField(record, 'properties', { ...properties, time: timeText(clock.toUtc(Number(properties['time']))) });
  return record;
}

/** Null for a time that no calendar has. */
function timeText(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
