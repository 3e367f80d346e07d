import type { Faults, Occasion } from '../../faults.ts';
import type { Exchange, Route } from '../../router.ts';
import { answerCall, readKey } from '../calls.ts';
import { keyInvalid, StripeError, unknownAddress } from '../errors.ts';
import { expand } from '../expand.ts';
import { strikeNamed } from '../faults.ts';
import { Fields } from '../fields.ts';
import { parseForm } from '../form.ts';
import { Idempotency } from '../idempotency.ts';
import type { StripeEvent } from '../objects.ts';
import type { PaymentAccount } from './account.ts';
import type { PaymentAccounts } from './accounts.ts';
import { stepOf } from './currencies.ts';
import { objectsOf, paymentOperations, type PaymentOperation } from './operations.ts';
import type { RestrictedKey } from './seeds.ts';

/** Calls with a restricted key belong to the account of a customer; all others to the account that bills Tributary. */
export function withPayments(billing: Route[], accounts: PaymentAccounts, faults: Faults): Route[] {
  const calls = new PaymentCalls(accounts, faults);
  return billing.map((route) => ({
    ...route,
    answer: (exchange) => (readKey(exchange)?.startsWith('rk_') ? calls.answer(exchange) : route.answer(exchange)),
  }));
}

const patterns = paymentOperations.map((operation) => ({
  operation,
  path: new RegExp(`^${operation.path.replace(':id', '(?<id>[^/]+)')}$`),
}));

class PaymentCalls {
  readonly #accounts: PaymentAccounts;
  readonly #faults: Faults;
  readonly #idempotency = new WeakMap<PaymentAccount, Idempotency>();
  /** For calls with an unknown key, which are rejected before their idempotency key is used. */
  readonly #noAnswers = new Idempotency({ answers: new Map(), now: () => 0 });

  constructor(accounts: PaymentAccounts, faults: Faults) {
    this.#accounts = accounts;
    this.#faults = faults;
  }

  answer(exchange: Exchange): Promise<void> {
    const text = readKey(exchange) ?? '';
    const found = this.#accounts.byKey(text);
    const { pathname } = exchange.url;
    const accountId = found?.account.accountId;
    const occasion: Occasion = { endpoint: 'api', resource: pathname.split('/')[2] ?? '', ...(accountId && { accountId }) };
    const { operation, id } = findOperation(exchange);
    return answerCall(exchange, {
      faults: this.#faults,
      idempotency: found ? this.#idempotencyOf(found.account) : this.#noAnswers,
      occasion,
      authenticate: () => this.#authenticate(exchange, occasion, text, found?.key, operation),
      run: (cause) => {
        if (!found || !operation) throw unknownAddress(exchange.request.method ?? 'GET', pathname);
        return this.#run(exchange, occasion, operation, { account: found.account, id, cause });
      },
      changed: () => {},
    });
  }

  #idempotencyOf(account: PaymentAccount): Idempotency {
    const known = this.#idempotency.get(account) ?? new Idempotency(account);
    this.#idempotency.set(account, known);
    return known;
  }

  #authenticate(
    exchange: Exchange,
    occasion: Occasion,
    text: string,
    key: RestrictedKey | undefined,
    operation: PaymentOperation | undefined,
  ): void {
    if (!key) throw keyInvalid(text);
    if (key.isExpired || strikeNamed(this.#faults, exchange, 'key_expired', occasion)) throw keyExpired(text);
    if (!operation) return;
    const { right } = operation;
    const isTaken = strikeNamed(this.#faults, exchange, 'right_missing', { ...occasion, right }) !== undefined;
    if (isTaken || !hasRight(key, right)) throw rightMissing(key, right);
  }

  #run(
    exchange: Exchange,
    occasion: Occasion,
    operation: PaymentOperation,
    { account, id, cause }: { account: PaymentAccount; id: string; cause: StripeEvent['request'] },
  ): { status: number; body: object } {
    const { url, body } = exchange;
    const fields = new Fields(parseForm(operation.method === 'POST' ? body : url.search.slice(1) || body));
    fields.refuseOthersThan([...operation.parameters, 'expand']);
    account.currentRequest = cause;
    try {
      const object = operation.answer({ accounts: this.#accounts, account, fields, id });
      const answer = expand(objectsOf(account), object, fields);
      const isList = operation.method === 'GET' && !operation.path.includes(':id') && operation.path !== '/v1/account';
      if (isList && strikeNamed(this.#faults, exchange, 'rows_added', occasion)) addPayment(this.#accounts, account);
      return { status: 200, body: answer };
    } finally {
      account.currentRequest = { id: null, idempotency_key: null };
    }
  }
}

function findOperation({ request, url }: Exchange): { operation: PaymentOperation | undefined; id: string } {
  for (const { operation, path } of patterns) {
    const match = operation.method === request.method ? path.exec(url.pathname) : null;
    if (match) return { operation, id: decodeURIComponent(match.groups?.id ?? '') };
  }
  return { operation: undefined, id: '' };
}

/** A right to write includes the right to read. */
function hasRight({ rights }: RestrictedKey, right: string): boolean {
  return rights.includes(right) || rights.includes(right.replace(/_read$/, '_write'));
}

function addPayment(accounts: PaymentAccounts, account: PaymentAccount): void {
  const { currency } = account.identity;
  accounts.run(account, [{ type: 'payment', amount: 20 * stepOf(currency), email: 'meanwhile@shop.example' }]);
}

function masked(key: string): string {
  const start = key.slice(0, 'rk_test_'.length);
  return `${start}${'*'.repeat(Math.max(0, key.length - start.length - 6))}${key.slice(-6)}`;
}

function keyExpired(key: string): StripeError {
  const code = 'api_key_expired';
  return new StripeError(401, 'invalid_request_error', `Expired API Key provided: ${masked(key)}`, { code });
}

function rightMissing({ key, accountId }: RestrictedKey, right: string): StripeError {
  const start = `The provided key '${masked(key)}' does not have the required permissions for this endpoint on account '${accountId}'.`;
  const message = `${start} Having the '${right}' permission would allow this request to continue.`;
  return new StripeError(403, 'invalid_request_error', message);
}
