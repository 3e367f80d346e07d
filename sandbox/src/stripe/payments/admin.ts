import { InvalidFault } from '../../faults.ts';
import { readJsonObject, readRange, refusing } from '../../parameters.ts';
import { sendJson, type Exchange, type Route } from '../../router.ts';
import { newId } from '../ids.ts';
import type { PaymentAccount } from './account.ts';
import type { PaymentAccounts } from './accounts.ts';
import { randomSteps } from './history.ts';
import { resources } from './resources.ts';
import type { StepFields } from './step-input.ts';
import { totalsOf } from './totals.ts';

type Answer = (exchange: Exchange, account: PaymentAccount) => void;

const daySeconds = 86_400;

/** Test operations on the accounts of customers. */
export function paymentAdminRoutes(accounts: PaymentAccounts): Route[] {
  const onAccount = (method: Route['method'], path: string, answer: Answer): Route => ({
    method,
    path: new RegExp(`^/admin/stripe/payments/(?<account>[^/]+)${path}$`),
    answer: refusing((exchange) => answer(exchange, accounts.get(exchange.params.account ?? ''))),
  });
  return [
    {
      method: 'GET',
      path: /^\/admin\/stripe\/payments$/,
      answer: ({ response }) => sendJson(response, 200, { accounts: describeAll(accounts) }),
    },
    { method: 'POST', path: /^\/admin\/stripe\/payments$/, answer: refusing((exchange) => create(accounts, exchange)) },
    onAccount('GET', '', sendTotals),
    onAccount('GET', '/rows/(?<resource>[a-z_]+)', sendRows),
    onAccount('GET', '/deliveries', ({ response }, { deliveries }) =>
      sendJson(response, 200, { deliveries: [...deliveries.values()] }),
    ),
    onAccount('POST', '/steps', (exchange, account) => runSteps(accounts, account, exchange)),
    onAccount('POST', '/random', (exchange, account) => runRandom(accounts, account, exchange)),
    onAccount('POST', '/keys', (exchange, account) => addKey(accounts, account, exchange)),
    onAccount('POST', '/deliver', (exchange, account) => deliver(accounts, account, exchange)),
    onAccount('DELETE', '', ({ response }, account) => {
      accounts.remove(account);
      sendJson(response, 200, { removed: account.accountId });
    }),
  ];
}

function describeAll(accounts: PaymentAccounts): object[] {
  return accounts.list().map((identity) => ({ ...identity, keys: accounts.keysOf(identity.id) }));
}

/** `{currency?, isLive?, name?, steps?, random?}`: a new account, with a history if there are steps. */
function create(accounts: PaymentAccounts, { response, body }: Exchange): void {
  const { currency = 'eur', isLive = false, name = 'Invented', id = newId('acct_', 16), steps, random } = readJsonObject(body);
  if (typeof currency !== 'string' || typeof isLive !== 'boolean' || typeof name !== 'string' || typeof id !== 'string')
    throw new InvalidFault('currency, name and id must be texts, isLive true or false');
  const { account, key } = accounts.create({ id, name, country: 'DE', currency: currency.toLowerCase(), isLive });
  try {
    const history = [...readSteps(steps ?? []), ...(random === undefined ? [] : readRandom(account, random))];
    sendJson(response, 201, { id, key: key.key, ...run(accounts, account, history) });
  } catch (error) {
    accounts.remove(account);
    throw error;
  }
}

function sendTotals({ response, url }: Exchange, account: PaymentAccount): void {
  const { searchParams } = url;
  const hasRange = searchParams.has('from') || searchParams.has('to');
  const range = hasRange ? readRange(searchParams.get('from'), searchParams.get('to')) : null;
  sendJson(response, 200, totalsOf(account, range));
}

/** All objects of a table, the oldest first. */
function sendRows({ response, params }: Exchange, account: PaymentAccount): void {
  const resource = resources.find(({ path }) => path === params.resource);
  const rows = params.resource === 'events' ? account.events.rows : resource?.table(account).rows;
  if (!rows) throw new InvalidFault(`Unknown table ${String(params.resource)}`, { known: resources.map(({ path }) => path) });
  sendJson(response, 200, { rows });
}

/** `{steps}`: happens now, or at the times of the steps. */
function runSteps(accounts: PaymentAccounts, account: PaymentAccount, { response, body }: Exchange): void {
  sendJson(response, 200, run(accounts, account, readSteps(readJsonObject(body).steps)));
}

/** `{seed, steps?, days?}`: a random history, with its steps in the answer. */
function runRandom(accounts: PaymentAccounts, account: PaymentAccount, { response, body }: Exchange): void {
  const steps = readRandom(account, readJsonObject(body));
  sendJson(response, 200, { steps, ...run(accounts, account, steps) });
}

function run(accounts: PaymentAccounts, account: PaymentAccount, steps: StepFields[]): { objects: object[]; events: number } {
  const before = account.events.rows.length;
  const rows = accounts.run(account, steps);
  const objects = rows.map((row, place) => ({ ...(row && { id: row.id }), type: steps[place]?.type, ref: steps[place]?.ref }));
  return { objects, events: account.events.rows.length - before };
}

function readSteps(steps: unknown): StepFields[] {
  if (!Array.isArray(steps) || !steps.every((step) => typeof step === 'object' && step !== null))
    throw new InvalidFault('steps must be a list of objects');
  return steps as StepFields[];
}

function readRandom(account: PaymentAccount, given: unknown): StepFields[] {
  const { seed, steps = 40, days = 30 } = { ...(given as Record<string, unknown>) };
  const numbers = [seed, steps, days];
  if (!numbers.every((value) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 2 ** 31))
    throw new InvalidFault('A random history needs whole numbers: seed, steps, days');
  const to = account.now();
  const from = to - Number(days) * daySeconds;
  return randomSteps({ seed: Number(seed), steps: Number(steps), currency: account.identity.currency, from, to });
}

/** `{rights, isExpired?, isLive?}`: another restricted key of the account. */
function addKey(accounts: PaymentAccounts, account: PaymentAccount, { response, body }: Exchange): void {
  const { rights, isExpired = false, isLive } = readJsonObject(body);
  if (!Array.isArray(rights) || !rights.every((right) => typeof right === 'string'))
    throw new InvalidFault('rights must be a list of texts');
  sendJson(response, 201, accounts.addKey(account, rights, isExpired === true, typeof isLive === 'boolean' ? isLive : undefined));
}

/** `{eventId}`: sends an event again, whatever its earlier outcome. */
function deliver(accounts: PaymentAccounts, account: PaymentAccount, { response, body }: Exchange): void {
  const { eventId } = readJsonObject(body);
  const event = account.events.get(String(eventId));
  if (!event) throw new InvalidFault(`No event ${String(eventId)}`);
  sendJson(response, 202, { deliveries: accounts.deliveriesOf(account).redeliver(event) });
}
