import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { AccessTokenProvider, AdAccount, Source } from '../../../src/connectors/kit/contract.js';
import type { ConversionEvent, PreparedEvent } from '../../../src/connectors/kit/conversion.js';
import type { ConversionTarget, ConversionTargetChoice, SendResult } from '../../../src/connectors/kit/conversion-target.js';
import { RetryLater } from '../../../src/connectors/kit/errors.js';
import { aContext } from '../context.js';
import { anEvent, daysAgo, eligible } from './conversion-events.js';

/** Number of outcomes by state: `{ accepted: 499, rejected: 1 }`. */
export function countStates({ outcomes }: SendResult): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of outcomes) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** An order of an hour ago. The sandbox runs in real time. */
export const anOrder = (id: string, changes: Partial<ConversionEvent> = {}): ConversionEvent =>
  anEvent({ id, occurredAt: daysAgo(1 / 24, new Date()), ...changes });

export const prepared = (target: ConversionTarget, id: string, changes: Partial<ConversionEvent> = {}): PreparedEvent =>
  eligible(target.prepare(anOrder(id, changes), new Date()));

export const preparedMany = (
  target: ConversionTarget,
  prefix: string,
  count: number,
  changes: Partial<ConversionEvent> = {},
): PreparedEvent[] => Array.from({ length: count }, (_, index) => prepared(target, `${prefix}-${index}`, changes));

/** The same event with other content. The local checks would not let it pass. */
export const altered = ({ payload, ...event }: PreparedEvent, changes: Record<string, unknown>): PreparedEvent => ({
  ...event,
  payload: { ...payload, ...changes },
});

export const tokensOf = (token: string): AccessTokenProvider => ({ accessToken: () => Promise.resolve(token) });

/** A token that cannot be renewed now, because the platform's token endpoint does not answer. */
export const unreachableTokens: AccessTokenProvider = {
  accessToken: () =>
    Promise.reject(new RetryLater({ code: 'http.timeout', message: 'The platform did not answer in time.', action: 'None' })),
};

export async function accountNamed(source: Source, name: string): Promise<AdAccount> {
  const found = (await source.listAccounts(aContext())).find((account) => account.name === name);
  if (!found) throw new Error(`the sandbox has no account ${name}`);
  return found;
}

export function choiceNamed(choices: ConversionTargetChoice[], name: string): ConversionTargetChoice {
  const found = choices.find((choice) => choice.name === name);
  if (!found) throw new Error(`no choice is named ${name}`);
  return found;
}

/** An address at which nothing listens. */
export async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
