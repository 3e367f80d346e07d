import { priceConstants, productConstants, recurringConstants } from './constants.ts';
import { invalid, missing } from './errors.ts';
import { emit } from './events.ts';
import { newId } from './ids.ts';
import { listPage, listParameters } from './lists.ts';
import { intervals, type Price, type Product } from './objects.ts';
import type { Call, Operation } from './operation.ts';
import type { StripeState } from './state.ts';

export const monthlyPriceId = 'price_tributary_monthly';
const productId = 'prod_tributary';

export const catalogOperations: Operation[] = [
  {
    method: 'POST',
    path: '/v1/products',
    parameters: ['name', 'description', 'metadata', 'active'],
    answer: createProduct,
  },
  {
    method: 'GET',
    path: '/v1/products',
    parameters: [...listParameters, 'active'],
    answer: ({ state, fields }) => listPage(fields, '/v1/products', [...state.products.values()]),
  },
  { method: 'GET', path: '/v1/products/:id', parameters: [], answer: ({ state, id }) => find(state.products, 'product', id) },
  {
    method: 'POST',
    path: '/v1/prices',
    parameters: ['product', 'currency', 'unit_amount', 'recurring', 'nickname', 'lookup_key', 'metadata'],
    answer: createPrice,
  },
  {
    method: 'GET',
    path: '/v1/prices',
    parameters: [...listParameters, 'active', 'product', 'lookup_keys', 'currency'],
    answer: listPrices,
  },
  { method: 'GET', path: '/v1/prices/:id', parameters: [], answer: ({ state, id }) => find(state.prices, 'price', id) },
];

/** The initial plan. Its ids are settings of the product, so they never change. */
export function seedCatalog(state: StripeState): void {
  if (state.prices.has(monthlyPriceId)) return;
  const created = state.now();
  addProduct(state, {
    id: productId,
    name: 'Tributary',
    description: 'Ad data in, conversions out, for one organization',
    metadata: {},
    created,
  });
  addPrice(state, {
    id: monthlyPriceId,
    product: productId,
    nickname: 'Monthly',
    currency: 'eur',
    unit_amount: 4_900,
    recurring: { ...recurringConstants, interval: 'month', interval_count: 1 },
    lookup_key: 'tributary_monthly',
    metadata: {},
    created,
  });
}

function addProduct(state: StripeState, fields: Omit<Product, 'object' | 'active'>): Product {
  const changed = { updated: fields.created };
  const product: Product = { ...productConstants, ...changed, object: 'product', active: true, ...fields };
  state.products.set(product.id, product);
  return product;
}

function addPrice(state: StripeState, fields: Omit<Price, 'object' | 'active'>): Price {
  const amount = { unit_amount_decimal: String(fields.unit_amount) };
  const price: Price = { ...priceConstants, ...amount, object: 'price', active: true, ...fields };
  state.prices.set(price.id, price);
  return price;
}

function find<T>(kept: Map<string, T>, kind: string, id: string): T {
  const object = kept.get(id);
  if (!object) throw missing(kind, id);
  return object;
}

function createProduct({ state, fields }: Call): Product {
  const created = state.now();
  const product = addProduct(state, {
    id: newId('prod_', 14),
    name: fields.requiredText('name'),
    description: fields.nullableText('description', null),
    metadata: fields.metadata(),
    created,
  });
  emit(state, 'product.created', product, created);
  return product;
}

function createPrice({ state, fields }: Call): Price {
  const product = fields.requiredText('product');
  if (!state.products.has(product)) throw missing('product', product, 'product');
  const recurring = fields.object('recurring');
  const interval = recurring?.choice('interval', intervals);
  if (!interval) throw invalid('The sandbox sells recurring prices only.', 'recurring[interval]', 'parameter_missing');
  const created = state.now();
  const price = addPrice(state, {
    id: newId('price_'),
    product,
    currency: fields.requiredText('currency').toLowerCase(),
    unit_amount: fields.integer('unit_amount') ?? 0,
    recurring: { ...recurringConstants, interval, interval_count: recurring?.integer('interval_count', 1) ?? 1 },
    nickname: fields.nullableText('nickname', null),
    lookup_key: fields.nullableText('lookup_key', null),
    metadata: fields.metadata(),
    created,
  });
  emit(state, 'price.created', price, created);
  return price;
}

function listPrices({ state, fields }: Call): object {
  const product = fields.text('product');
  const lookupKeys = fields.texts('lookup_keys');
  const prices = [...state.prices.values()].filter(
    (price) =>
      (product === undefined || price.product === product) &&
      (lookupKeys.length === 0 || lookupKeys.includes(price.lookup_key ?? '')),
  );
  return listPage(fields, '/v1/prices', prices);
}
