import { invalid } from './errors.ts';
import type { Fields } from './fields.ts';
import type { StripeState } from './state.ts';

export type Wire = Record<string, unknown>;

/** The objects of an account that ids stand for. */
export interface ExpandableObjects {
  find(id: string): object | undefined;
  /** Fields that exist only when requested; null is an id without an object. */
  include(holder: Wire, name: string): unknown;
}

export function billingObjects(state: StripeState): ExpandableObjects {
  return { find: (id) => findById(state, id), include: (holder, name) => includable(state, holder, name) };
}

/** Serializes the object with expanded ids as in `expand[]`; `data.` reaches into a list. */
export function expand(objects: ExpandableObjects, object: object, fields: Fields): object {
  const paths = fields.texts('expand');
  if (paths.length === 0) return object;
  const answer = structuredClone(object) as Wire;
  for (const path of paths) expandPath(objects, answer, path.split('.'), path);
  return answer;
}

function expandPath(objects: ExpandableObjects, holder: Wire, [name = '', ...rest]: string[], path: string): void {
  const value = holder[name] ?? objects.include(holder, name);
  if (value === null) return;
  const expandOne = (part: unknown): Wire => {
    const found = typeof part === 'string' ? structuredClone(objects.find(part)) : part;
    if (found === undefined || typeof found !== 'object') throw notExpandable(path);
    return found as Wire;
  };
  const expanded = Array.isArray(value) ? value.map(expandOne) : expandOne(value);
  holder[name] = expanded;
  if (rest.length === 0) return;
  for (const inner of Array.isArray(expanded) ? expanded : [expanded]) expandPath(objects, inner, rest, path);
}

function notExpandable(path: string): Error {
  return invalid(`This property cannot be expanded (${path}). You may want to try expanding a different property.`, 'expand');
}

function includable(state: StripeState, holder: Wire, name: string): unknown {
  if (holder.object === 'checkout.session' && name === 'line_items') return lineItems(state, String(holder.id));
  if (holder.object === 'customer' && name === 'subscriptions') return subscriptionsOf(state, String(holder.id));
  return name in holder ? null : undefined;
}

function findById(state: StripeState, id: string): object | undefined {
  const kept = [state.customers, state.products, state.prices, state.paymentMethods, state.subscriptions, state.invoices];
  for (const objects of kept) {
    const object = objects.get(id);
    if (object) return object;
  }
  return state.deletedCustomers.has(id) ? { id, object: 'customer', deleted: true } : undefined;
}

function subscriptionsOf(state: StripeState, id: string): object {
  const data = [...state.subscriptions.values()].filter(({ customer, ended_at }) => customer === id && ended_at === null);
  return { object: 'list', data: structuredClone(data), has_more: false, url: `/v1/customers/${id}/subscriptions` };
}

function lineItems(state: StripeState, id: string): object {
  const order = state.orders.get(id);
  const price = state.prices.get(order?.priceId ?? '');
  const amount = order?.trialDays ? 0 : (price?.unit_amount ?? 0) * (order?.quantity ?? 1);
  const item = {
    ...{
      id: `li_${id.slice(-24)}`,
      object: 'item',
      adjustable_quantity: null,
      metadata: {},
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
    },
    ...{ currency: price?.currency, description: price?.nickname, price: structuredClone(price), quantity: order?.quantity },
  };
  return { object: 'list', data: [item], has_more: false, url: `/v1/checkout/sessions/${id}/line_items` };
}
