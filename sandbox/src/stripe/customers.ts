import { cancelNow } from './billing.ts';
import { customerConstants } from './constants.ts';
import { invalid, missing } from './errors.ts';
import { change, emit } from './events.ts';
import type { Fields } from './fields.ts';
import { newId } from './ids.ts';
import { listPage, listParameters } from './lists.ts';
import type { Customer } from './objects.ts';
import type { Call, Operation } from './operation.ts';
import { searchCustomers } from './search.ts';
import type { StripeState } from './state.ts';

const writable = ['email', 'name', 'description', 'phone', 'metadata', 'invoice_settings', 'address', 'preferred_locales'];

export const customerOperations: Operation[] = [
  { method: 'POST', path: '/v1/customers', parameters: writable, answer: createFromCall },
  {
    method: 'GET',
    path: '/v1/customers',
    parameters: [...listParameters, 'email'],
    answer: ({ state, fields }) => {
      const email = fields.text('email');
      const customers = [...state.customers.values()].filter((customer) => email === undefined || customer.email === email);
      return listPage(fields, '/v1/customers', customers);
    },
  },
  { method: 'GET', path: '/v1/customers/search', parameters: ['query', 'limit', 'page'], answer: searchCustomers },
  { method: 'GET', path: '/v1/customers/:id', parameters: [], answer: ({ state, id }) => findCustomer(state, id) },
  { method: 'POST', path: '/v1/customers/:id', parameters: writable, answer: update },
  { method: 'DELETE', path: '/v1/customers/:id', parameters: [], answer: remove },
];

export function createCustomer(state: StripeState, changes: Partial<Customer>): Customer {
  const customer: Customer = {
    ...customerConstants,
    id: newId('cus_', 14),
    object: 'customer',
    created: state.now(),
    currency: null,
    delinquent: false,
    description: null,
    email: null,
    invoice_settings: { ...{ custom_fields: null, footer: null, rendering_options: null }, default_payment_method: null },
    metadata: {},
    name: null,
    phone: null,
    ...changes,
  };
  state.customers.set(customer.id, customer);
  state.searchableAtMs.set(customer.id, Date.now() + state.settings.searchDelayMs);
  emit(state, 'customer.created', customer, customer.created);
  return customer;
}

/** A customer for another object; a deleted one counts as missing. */
export function requireCustomer(state: StripeState, fields: Fields): Customer {
  const id = fields.requiredText('customer');
  const customer = state.customers.get(id);
  if (!customer) throw missing('customer', id, 'customer');
  return customer;
}

function findCustomer(state: StripeState, id: string): object {
  if (state.deletedCustomers.has(id)) return { id, object: 'customer', deleted: true };
  const customer = state.customers.get(id);
  if (!customer) throw missing('customer', id);
  return customer;
}

function createFromCall({ state, fields }: Call): Customer {
  return createCustomer(state, readChanges(state, fields, null));
}

function update({ state, fields, id }: Call): Customer {
  const customer = state.customers.get(id);
  if (!customer) throw missing('customer', id);
  const previous = change(customer, readChanges(state, fields, customer));
  if (previous) emit(state, 'customer.updated', customer, state.now(id), previous);
  return customer;
}

function readChanges(state: StripeState, fields: Fields, current: Customer | null): Partial<Customer> {
  const email = fields.nullableText('email', current?.email ?? null);
  if (email !== null && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
    throw invalid(`Invalid email address: ${email}`, 'email', 'email_invalid');
  const paymentMethod = fields.object('invoice_settings')?.text('default_payment_method');
  if (paymentMethod && !state.paymentMethods.has(paymentMethod))
    throw missing('payment_method', paymentMethod, 'invoice_settings[default_payment_method]');
  return {
    email,
    name: fields.nullableText('name', current?.name ?? null),
    description: fields.nullableText('description', current?.description ?? null),
    phone: fields.nullableText('phone', current?.phone ?? null),
    metadata: fields.metadata(current?.metadata),
    ...(paymentMethod !== undefined && {
      invoice_settings: { ...current?.invoice_settings, default_payment_method: paymentMethod || null },
    }),
  };
}

/** Deleting ends every subscription immediately, as in Stripe. */
function remove({ state, id }: Call): object {
  const customer = state.customers.get(id);
  if (!customer) throw missing('customer', id);
  for (const subscription of state.subscriptions.values()) {
    if (subscription.customer === id && !subscription.ended_at) cancelNow(state, subscription, state.now(id), null);
  }
  state.customers.delete(id);
  state.deletedCustomers.add(id);
  emit(state, 'customer.deleted', customer, state.now(id));
  return { id, object: 'customer', deleted: true };
}
