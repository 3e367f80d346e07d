import { invalid } from './errors.ts';
import type { Customer } from './objects.ts';
import type { Call } from './operation.ts';

type Test = (customer: Customer) => boolean;

/** `metadata['a']:'b' AND email:'c'`. A new customer appears with a delay, as at Stripe. */
export function searchCustomers({ state, fields }: Call): object {
  const tests = parse(fields.requiredText('query'));
  const limit = fields.integer('limit', 1, 100) ?? 10;
  const start = Number(fields.text('page') ?? 0);
  const isKnown = ({ id }: Customer): boolean => (state.searchableAtMs.get(id) ?? 0) <= Date.now();
  const found = [...state.customers.values()].reverse().filter((customer) => isKnown(customer) && tests(customer));
  const hasMore = found.length > start + limit;
  return {
    object: 'search_result',
    data: found.slice(start, start + limit),
    has_more: hasMore,
    next_page: hasMore ? String(start + limit) : null,
    url: '/v1/customers/search',
  };
}

/** Stripe allows AND or OR in a query, never both. */
function parse(query: string): Test {
  const hasOr = / OR /i.test(query);
  if (hasOr && / AND /i.test(query)) throw unreadable(query);
  const tests = query.split(hasOr ? / OR /i : / AND /i).map((part) => parseClause(part.trim(), query));
  return (customer) => (hasOr ? tests.some((test) => test(customer)) : tests.every((test) => test(customer)));
}

function parseClause(clause: string, query: string): Test {
  const match =
    /^(?<isNot>-?)(?:metadata\[(?<q>["'])(?<key>.+?)\k<q>\]|(?<field>email|name))\s*:\s*(?<quote>["'])(?<value>.*)\k<quote>$/.exec(
      clause,
    );
  const { isNot, key, field, value = '' } = match?.groups ?? {};
  if (!match) throw unreadable(query);
  const wanted = value.replace(/\\(.)/g, '$1');
  const read = (customer: Customer): string | null | undefined =>
    key !== undefined ? customer.metadata[key] : field === 'name' ? customer.name : customer.email;
  return (customer) => (read(customer) === wanted) !== (isNot === '-');
}

function unreadable(query: string): Error {
  return invalid(`We were unable to parse your search query: ${query}`, 'query');
}
