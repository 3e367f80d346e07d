import { payNow } from './billing.ts';
import { missing } from './errors.ts';
import { subscriptionIdOf } from './invoices.ts';
import { listPage, listParameters } from './lists.ts';
import type { Invoice } from './objects.ts';
import type { Call, Operation } from './operation.ts';
import type { StripeState } from './state.ts';

export const invoiceOperations: Operation[] = [
  {
    method: 'GET',
    path: '/v1/invoices',
    parameters: [...listParameters, 'customer', 'subscription', 'status'],
    answer: list,
  },
  { method: 'GET', path: '/v1/invoices/:id', parameters: [], answer: ({ state, id }) => findInvoice(state, id) },
  {
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    parameters: ['off_session', 'payment_method'],
    answer: ({ state, id }) => {
      const invoice = findInvoice(state, id);
      payNow(state, invoice, state.now(invoice.customer));
      return invoice;
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_methods',
    parameters: [...listParameters, 'customer', 'type'],
    answer: ({ state, fields }) => {
      const customer = fields.text('customer');
      const methods = [...state.paymentMethods.values()].filter((method) => !customer || method.customer === customer);
      return listPage(fields, '/v1/payment_methods', methods);
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_methods/:id',
    parameters: [],
    answer: ({ state, id }) => {
      const method = state.paymentMethods.get(id);
      if (!method) throw missing('PaymentMethod', id);
      return method;
    },
  },
];

function findInvoice(state: StripeState, id: string): Invoice {
  const invoice = state.invoices.get(id);
  if (!invoice) throw missing('invoice', id);
  return invoice;
}

function list({ state, fields }: Call): object {
  const [customer, subscription, status] = ['customer', 'subscription', 'status'].map((name) => fields.text(name));
  const invoices = [...state.invoices.values()].filter(
    (invoice) =>
      (!customer || invoice.customer === customer) &&
      (!subscription || subscriptionIdOf(invoice) === subscription) &&
      (!status || invoice.status === status),
  );
  return listPage(fields, '/v1/invoices', invoices);
}
