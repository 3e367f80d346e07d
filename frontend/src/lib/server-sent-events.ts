export interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Reads a text/event-stream piece by piece: pieces may break anywhere, also inside a line.
 * Follows https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation; `id` and `retry` are not used here.
 */
export class EventStreamParser {
  private rest = '';
  private event = '';
  private data: string[] = [];

  push(piece: string): ServerSentEvent[] {
    const lines = (this.rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.takeLine(line));
  }

  private takeLine(line: string): ServerSentEvent[] {
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

/** Wait before the n-th attempt to reconnect (from 0): 1 s, × 1.5, at most 60 s. */
export const reconnectDelayMs = (attempt: number): number => Math.min(FIRST_DELAY_MS * DELAY_FACTOR ** attempt, MAX_DELAY_MS);
