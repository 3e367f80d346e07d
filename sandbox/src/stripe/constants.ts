/** Fields that every object of a type has and the sandbox never fills. They exist because clients read them. */
const common = { livemode: false };
const noTax = { disabled_reason: null, enabled: false, liability: null };

export const customerConstants = {
  ...common,
  address: null,
  balance: 0,
  default_source: null,
  discount: null,
  invoice_prefix: null,
  next_invoice_sequence: 1,
  preferred_locales: [],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
};

export const productConstants = {
  ...common,
  default_price: null,
  images: [],
  marketing_features: [],
  package_dimensions: null,
  shippable: null,
  statement_descriptor: null,
  tax_code: null,
  tax_details: null,
  type: 'service',
  unit_label: null,
  url: null,
};

export const priceConstants = {
  ...common,
  billing_scheme: 'per_unit',
  custom_unit_amount: null,
  tax_behavior: 'unspecified',
  tiers_mode: null,
  transform_quantity: null,
  type: 'recurring',
};

export const recurringConstants = { meter: null, trial_period_days: null, usage_type: 'licensed' };

export const cardConstants = {
  checks: null,
  country: 'US',
  funding: 'credit',
  generated_from: null,
  networks: null,
  regulated_status: null,
  three_d_secure_usage: { supported: true },
  wallet: null,
};

export const paymentMethodConstants = {
  ...common,
  allow_redisplay: 'limited',
  customer_account: null,
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  metadata: {},
  type: 'card',
};

export const subscriptionConstants = {
  ...common,
  application: null,
  application_fee_percent: null,
  automatic_tax: noTax,
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: null, type: 'flexible' },
  billing_schedules: [],
  billing_thresholds: null,
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  invoice_settings: { account_tax_ids: null, custom_fields: null, description: null, footer: null, issuer: { type: 'self' } },
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  payment_settings: {
    payment_method_options: null,
    payment_method_types: null,
    save_default_payment_method: 'on_subscription',
  },
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
};

export const subscriptionItemConstants = {
  billing_thresholds: null,
  current_trial: null,
  discounts: [],
  metadata: {},
  tax_rates: [],
};

export const invoiceConstants = {
  ...common,
  account_country: 'DE',
  account_name: 'Sandbox',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  automatic_tax: { ...noTax, provider: null, status: null },
  automatically_finalizes_at: null,
  collection_method: 'charge_automatically',
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  ending_balance: 0,
  footer: null,
  from_invoice: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  metadata: {},
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: null,
};

export const invoiceLineConstants = {
  ...common,
  discount_amounts: [],
  discountable: true,
  discounts: [],
  pretax_credit_amounts: [],
  taxes: [],
};

export const customerDetailsConstants = {
  address: null,
  business_name: null,
  individual_name: null,
  phone: null,
  tax_exempt: 'none',
  tax_ids: null,
};

export const checkoutConstants = {
  ...common,
  adaptive_pricing: null,
  after_expiration: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_account: null,
  customer_creation: null,
  discounts: [],
  integration_identifier: null,
  invoice_creation: null,
  locale: null,
  managed_payments: null,
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'always',
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ['card'],
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted_page',
  wallet_options: null,
};

export const portalConstants = {
  ...common,
  configuration: 'bpc_sandbox',
  customer_account: null,
  flow: null,
  locale: null,
  on_behalf_of: null,
};

export const endpointConstants = { ...common, application: null };
