import { toDayNumber } from './clock.ts';
import { InvalidFault } from './faults.ts';
import { escapeHtml, sendJson, type Exchange } from './router.ts';

/** For routes below /admin: an invalid request returns 400 with the reason. */
export function refusing(answer: (exchange: Exchange) => void | Promise<void>): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    try {
      await answer(exchange);
    } catch (error) {
      if (!(error instanceof InvalidFault)) throw error;
      sendJson(exchange.response, 400, { error: error.message, ...error.details });
    }
  };
}

export function readDate(value: unknown, name: string): string {
  if (typeof value !== 'string' || Number.isNaN(toDayNumber(value)))
    throw new InvalidFault(`${name} must be a date of the form YYYY-MM-DD`);
  return value;
}

export function readRange(from: unknown, to: unknown): { from: string; to: string } {
  const range = { from: readDate(from, 'from'), to: readDate(to, 'to') };
  if (range.from > range.to) throw new InvalidFault('from must not be later than to');
  return range;
}

/** The parameter `stream`, one of these. */
export function readStream<Name extends string>(parameters: URLSearchParams, names: Name[]): Name {
  const stream = parameters.get('stream');
  const name = names.find((known) => known === stream);
  if (name === undefined) throw new InvalidFault(`Unknown stream ${String(stream)}`, { known: names });
  return name;
}

export function readJsonObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through to the rejection below.
  }
  throw new InvalidFault('The body must be a JSON object');
}

/** A table for the start page. Cells are text and escaped here. */
export function htmlTable(heading: string, rows: string[][]): string {
  const cells = (texts: string[]): string => texts.map((text) => `<td>${escapeHtml(text)}</td>`).join('');
  return `<h2>${escapeHtml(heading)}</h2><table>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</table>`;
}
