/** Fields that every object of a type has and the sandbox never fills. They exist because clients read them. */

export const balanceTransactionConstants = { balance_type: 'payments' } as const;

export const chargeConstants = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  calculated_statement_descriptor: 'SANDBOX',
  fraud_details: {},
  on_behalf_of: null,
  outcome: null,
  payment_method: null,
  radar_options: {},
  receipt_number: null,
  receipt_url: null,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
};

export const cardDetails = {
  type: 'card',
  card: {
    amount_authorized: null,
    authorization_code: null,
    brand: 'visa',
    checks: null,
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: 12,
    exp_year: 2030,
    fingerprint: 'sandbox4242',
    funding: 'credit',
    installments: null,
    last4: '4242',
    mandate: null,
    network: 'visa',
    network_transaction_id: null,
    regulated_status: null,
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  },
};

export const sepaDetails = {
  type: 'sepa_debit',
  sepa_debit: {
    bank_code: '37040044',
    branch_code: null,
    country: 'DE',
    fingerprint: 'sandbox3000',
    last4: '3000',
    mandate: null,
  },
};

export const paymentIntentConstants = {
  allowed_payment_method_types: null,
  amount_details: { tip: {} },
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  client_secret: null,
  confirmation_method: 'automatic',
  customer_account: null,
  excluded_payment_method_types: null,
  managed_payments: null,
  next_action: null,
  on_behalf_of: null,
  payment_method: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
};

export const refundConstants = {
  customer_account: null,
  payment_method: null,
  receipt_number: null,
  source_transfer_reversal: null,
  transfer_reversal: null,
};

const noEvidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

export const disputeConstants = {
  enhanced_eligibility_types: [],
  evidence: noEvidence,
  evidence_details: {
    due_by: null,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: 'not_submitted',
  },
  intended_submission_method: null,
};

export const discountConstants = {
  checkout_session: null,
  customer: null,
  customer_account: null,
  invoice: null,
  invoice_item: null,
  promotion_code: null,
  subscription_item: null,
};

export const couponConstants = {
  max_redemptions: null,
  metadata: {},
  name: null,
  redeem_by: null,
  times_redeemed: 1,
  valid: true,
};

export const payoutConstants = {
  application_fee: null,
  application_fee_amount: null,
  automatic: true,
  description: 'STRIPE PAYOUT',
  destination: null,
  failure_message: null,
  metadata: {},
  method: 'standard',
  original_payout: null,
  payout_method: null,
  reconciliation_status: 'completed',
  reversed_by: null,
  source_type: 'card',
  statement_descriptor: null,
  trace_id: null,
  type: 'bank_account',
};

export const accountSettingsConstants = {
  branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
  card_payments: {
    statement_descriptor_prefix: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null,
  },
  payments: {
    statement_descriptor: null,
    statement_descriptor_kana: null,
    statement_descriptor_kanji: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null,
  },
};
