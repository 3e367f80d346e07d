import type { ConnectorContext } from '../kit/contract.js';
import { SplitSlice } from '../kit/errors.js';
import type { StripeApi } from './api.js';
import { chargeSchema, customerSchema, type StripeCharge, type StripeCustomer, type StripeSubscription } from './objects.js';

type Holder = Pick<StripeCharge, 'customer' | 'metadata'> & Partial<Pick<StripeCharge, 'billing_details' | 'receipt_email'>>;

/** Charges and customers of one slice, each requested once. */
export class KnownObjects {
  private readonly charges = new Map<string, StripeCharge>();
  private readonly customers = new Map<string, StripeCustomer | null>();

  constructor(
    private readonly api: StripeApi,
    private readonly context: ConnectorContext,
    private readonly customerIdType: string,
    private readonly mostCharges = Infinity,
  ) {}

  keep(charge: StripeCharge): void {
    if (this.charges.size >= this.mostCharges) throw tooManyCharges();
    this.charges.set(charge.id, charge);
    this.keepCustomer(charge);
  }

  keepCustomer({ customer }: Pick<StripeCharge | StripeSubscription, 'customer'>): void {
    if (customer !== null && typeof customer !== 'string') this.customers.set(customer.id, customer);
  }

  async charge(id: string): Promise<StripeCharge> {
    const known = this.charges.get(id);
    if (known) return known;
    const charge = await this.api.get(this.context, `/v1/charges/${encodeURIComponent(id)}`, chargeSchema, {
      expand: ['customer'],
    });
    this.keep(charge);
    return charge;
  }

  /** What identifies the customer. Null for a guest without the chosen value. */
  async customerIdOf(holder: Holder): Promise<string | null> {
    const id = customerOf(holder);
    if (this.customerIdType === 'stripe_id') return id;
    const customer = id === null ? null : await this.customer(id);
    if (this.customerIdType === 'email')
      return textOf(customer?.email) ?? textOf(holder.billing_details?.email) ?? textOf(holder.receipt_email);
    const key = this.customerIdType.slice('metadata:'.length);
    return textOf(customer?.metadata?.[key]) ?? textOf(holder.metadata?.[key]);
  }

  private async customer(id: string): Promise<StripeCustomer | null> {
    const known = this.customers.get(id);
    if (known !== undefined) return known;
    const customer = await this.api.get(this.context, `/v1/customers/${encodeURIComponent(id)}`, customerSchema);
    this.customers.set(id, customer);
    return customer;
  }
}

export const customerOf = ({ customer }: Pick<Holder, 'customer'>): string | null =>
  customer === null || typeof customer === 'string' ? customer : customer.id;

const tooManyCharges = (): SplitSlice =>
  new SplitSlice({
    code: 'stripe.too_many_charges',
    message: 'Stripe has more charges on these days than are read at once.',
    action: 'No action needed: the days are read in smaller parts automatically',
  });

const textOf = (value: string | null | undefined): string | null => (value ? value : null);
