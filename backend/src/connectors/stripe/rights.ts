/** A permission of a restricted key, with a list that needs it. Names are those of Stripe's errors. */
interface Right {
  name: string;
  /** As in Stripe's dashboard. */
  label: string;
  path: string;
  /** Only recurring revenue needs it. Without it, everything else is loaded. */
  isOptional?: true;
}

export const rights: readonly Right[] = [
  { name: 'rak_accounts_kyc_basic_read', label: 'Account', path: '/v1/account' },
  { name: 'rak_balance_transaction_source_read', label: 'Balance transaction sources', path: '/v1/balance_transactions?limit=1' },
  { name: 'rak_charge_read', label: 'Charges and refunds', path: '/v1/charges?limit=1' },
  { name: 'rak_coupon_read', label: 'Coupons', path: '/v1/coupons?limit=1', isOptional: true },
  { name: 'rak_customer_read', label: 'Customers', path: '/v1/customers?limit=1' },
  { name: 'rak_dispute_read', label: 'Disputes', path: '/v1/disputes?limit=1' },
  { name: 'rak_event_read', label: 'Events', path: '/v1/events?limit=1' },
  { name: 'rak_subscription_read', label: 'Subscriptions', path: '/v1/subscriptions?limit=1' },
];
