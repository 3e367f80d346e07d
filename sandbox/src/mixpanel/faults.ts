import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultDescription, Faults, Occasion } from '../faults.ts';
import type { Exchange } from '../router.ts';
import { MixpanelError } from './errors.ts';
import { isMatch, parseExpression } from './expression.ts';
import type { FailedRecord, ValidEvent } from './validate.ts';

export const mixpanelFaults: Record<string, FaultDescription> = {
  revoke: { what: 'Service accounts answer 401 Invalid credentials. Optional: user' },
  throttle: { what: '429, repeated according to times' },
  bad_gateway: { what: '502 of the gateway, in HTML' },
  unavailable: { what: '503 of the gateway, in HTML' },
  server_error: { what: '500' },
  slow: { what: 'Answers come late. Optional: delayMs (default 2000)' },
  drop_connection: { what: 'The connection ends without an answer, before anything is processed' },
  fail_after_applying: {
    what: 'An import is accepted and then answered with 503. Optional: drop (true: not answered at all)',
  },
  drop_events: {
    what: 'Events are acknowledged and lost. Optional: everyNth (default 20), or where (all that match, as in an export)',
  },
  reject_events: {
    what: 'Single events are rejected with 400, the others are accepted. Optional: everyNth (default 20), field, message',
  },
  repeat_events: { what: 'Events are stored twice: raw exports show both' },
  delay_events: { what: 'Events appear later in queries and exports. Optional: seconds (default 5)' },
  payload_limit: { what: '413 for bodies of more than so many uncompressed bytes. Optional: bytes (default 2097152)' },
  truncate: {
    what: 'A raw export ends early. Optional: atLineEnd (true: between two lines), lastLine (true: in the last line), abort (true: the connection breaks)',
  },
  terminate_early: {
    what: 'A raw export ends in the middle with a line of text. Optional: line (default "export terminated early")',
  },
  split_record: { what: 'Records of a raw export are broken over two lines. Optional: inText (true: inside of a text)' },
  wrong_region_empty: { what: 'A raw export of another region than the project’s is empty instead of rejected' },
  omit_distinct_id: { what: 'Lines of a raw export lack distinct_id where the event has no user' },
  merge_identities: {
    what: 'The events of a user are returned with the id of another one from now on',
    required: ['projectId', 'from', 'into'],
    isEvent: true,
  },
  compact: { what: 'Compaction runs now in a project', required: ['projectId'], isEvent: true },
};

const provider = 'mixpanel';

/** Applies to `api` (that is /import), `export`, `query` or `app`. */
export type Strike = (name: string) => Fault | undefined;

export function striking(faults: Faults, exchange: Exchange, occasion: Occasion): Strike {
  return (name) => {
    const fault = faults.strike(provider, name, occasion);
    if (fault) exchange.log.fault = fault.fault;
    return fault;
  };
}

/** Faults applied before the request is read. False: the connection is closed. */
export async function strikeEarly(strike: Strike, exchange: Exchange): Promise<boolean> {
  const slow = strike('slow');
  if (slow) await delay(numberOf(slow, 'delayMs', 2_000));
  if (strike('drop_connection')) {
    exchange.response.destroy();
    return false;
  }
  if (strike('bad_gateway')) throw new MixpanelError(502, 'Bad Gateway');
  if (strike('unavailable')) throw new MixpanelError(503, 'Service Unavailable');
  if (strike('server_error')) throw new MixpanelError(500, 'Internal server error');
  if (strike('throttle'))
    throw new MixpanelError(429, 'Project exceeded rate limits. Please retry the request with exponential backoff.');
  return true;
}

/** Rejects every n-th valid event. */
export function rejectSome(fault: Fault | undefined, events: Map<number, ValidEvent>): FailedRecord[] {
  if (!fault) return [];
  const everyNth = numberOf(fault, 'everyNth', 20);
  const field = textOf(fault, 'field', 'properties.utm_source');
  const message = textOf(fault, 'message', `${field} is invalid: string should be valid utf8`);
  const rejected = [...events].filter((_, place) => (place + 1) % everyNth === 0);
  for (const [index] of rejected) events.delete(index);
  return rejected.map(([index, { insertId }]) => ({ index, insertId, field, message }));
}

/** Loses every n-th event, or those that match. */
export function loseSome(fault: Fault | undefined, events: ValidEvent[]): ValidEvent[] {
  if (!fault) return events;
  const where = textOf(fault, 'where', '');
  if (where !== '') {
    const expression = parseExpression(where);
    return events.filter(({ properties }) => !isMatch(expression, properties));
  }
  const everyNth = numberOf(fault, 'everyNth', 20);
  return events.filter((_, place) => (place + 1) % everyNth !== 0);
}

export function numberOf(fault: Fault, name: string, otherwise: number): number {
  const value = fault.parameters[name];
  return typeof value === 'number' && value > 0 ? value : otherwise;
}

function textOf(fault: Fault, name: string, otherwise: string): string {
  const value = fault.parameters[name];
  return typeof value === 'string' ? value : otherwise;
}
