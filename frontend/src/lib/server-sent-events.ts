export interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Parses a text/event-stream chunk by chunk. A chunk can end anywhere, also inside a line.
 * Follows https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation; `id` and `retry` are ignored.
 */
export class EventStreamParser {
  private rest = '';
  private event = '';
  private data: string[] = [];

  push(chunk: string): ServerSentEvent[] {
    const lines = (this.rest + chunk).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.parseLine(line));
  }

  private parseLine(line: string): ServerSentEvent[] {
    if (line === '') return this.dispatch();
    if (line.startsWith(':')) return [];
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.event = value;
    if (field === 'data') this.data.push(value);
    return [];
  }

  private dispatch(): ServerSentEvent[] {
    const { event, data } = this;
    this.event = '';
    this.data = [];
    return data.length === 0 ? [] : [{ event: event || 'message', data: data.join('\n') }];
  }
}

const FIRST_DELAY_MS = 1_000;
const DELAY_FACTOR = 1.5;
const MAX_DELAY_MS = 60_000;

/** The delay before a reconnect attempt (from 0): 1 s, then × 1.5, at most 60 s. */
export const reconnectDelayMs = (attempt: number): number => Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** attempt, MAX_DELAY_MS);
