import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  Validate,
} from 'class-validator';
import { CUSTOMER_ID_TYPE, type PaymentEvent, paymentEvents } from '../connectors/catalog.js';
import { ProviderOf } from '../catalog/index.js';
import type { ProviderName } from '../connectors/kit/contract.js';
import { destinationProviders, paymentProviders } from '../connectors/registry.js';
import { ConnectionPause, type HEALTHS, IsDay } from '../connections/index.js';
import { Failure } from '../core/http/failure.dto.js';
import { INTEGER_MAX } from '../core/http/limits.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

export type PaymentHealth = (typeof HEALTHS)[number] | 'webhook_missing';
/**
 * Worst first. All destinations of a paused payment are paused, so a paused one beside others was paused automatically: it waits for
 * a user, while a failing one is loaded again.
 */
export const paymentHealths: readonly PaymentHealth[] = [
  ...(['needs_reauth', 'paused', 'failing', 'stale', 'partial', 'unverified', 'webhook_missing'] as const),
  ...(['rate_limited', 'backfilling', 'never_run', 'healthy'] as const),
];
type AmountMode = 'gross' | 'net';

/** The Stripe account that is read. */
export class PaymentAppEntry {
  id: string;
  name: string;
  @ProviderOf(paymentProviders)
  provider: ProviderName;
  state: 'draft' | 'authorizing' | 'connected' | 'expiring' | 'needs_reauth' | 'revoked' | 'disabled';
  /** The part of the key that may be shown. */
  credentialHint: string | null;
}

/** A destination with the connection that loads it. Its runs and coverage are those of the connection. */
export class PaymentDestinationEntry {
  id: string;
  name: string;
  @ProviderOf(destinationProviders)
  provider: ProviderName;
  /** Table or event that is written. */
  table: string;
  connectionId: string;
  health: PaymentHealth;
  healthReason: string;
  /** All days up to this one are verified; null if there is none. */
  completeThrough: string | null;
  activeRunId: string | null;
  lastRunId: string | null;
  /** Why nothing is loaded into it, when and by whom it was paused; null if it is active. Resuming the payment ends it. */
  pause: ConnectionPause | null;
}

/** Money that remained of one currency: payments less refunds, disputes and reversals. */
export class PaymentRevenue {
  /** ISO 4217. */
  currency: string;
  /** In the smallest unit of the currency, as Stripe counts it. */
  amountMinor: number;
  /** Decimals of the smallest unit: 0, 2 or 3. */
  decimals: number;
}

export class PaymentWebhookEntry {
  /** Address to enter as endpoint in Stripe. */
  url: string;
  /** Types of events that the endpoint needs. */
  events: string[];
  /** `missing`: no signing secret was entered, so every call is rejected. */
  secretState: 'missing' | 'entered';
  secretEnteredAt: string | null;
  /** When the last signed call arrived; null: never. */
  lastDeliveryAt: string | null;
  /** When Stripe's own list of events was last compared with the calls that arrived; null: never. */
  checkedAt: string | null;
  /** Since when Stripe has events that no call delivered; null: all arrived. */
  missingSince: string | null;
  /** Number of such events in the last comparison. */
  missingEvents: number;
}

export class PaymentEntry {
  id: string;
  name: string;
  app: PaymentAppEntry;
  destinations: PaymentDestinationEntry[];
  /** `stripe_id`, `email`, or `metadata:` and a key. */
  customerIdType: string;
  events: PaymentEvent[];
  /** Amounts before (`gross`) or after (`net`) Stripe's fees. */
  amountMode: AmountMode;
  /** First day that is loaded, in UTC. */
  historyFrom: string;
  desired: 'active' | 'paused';
  health: PaymentHealth;
  healthReason: string;
  /** The cause of the health and the action, or of the automatic pause; null if there is none. */
  failure: Failure | null;
  /** When the last event that Stripe announced happened; null: none since the payment was created. */
  lastEventAt: string | null;
  /** Newest day in UTC with loaded events; null: none. */
  lastEventDay: string | null;
  /** Of the last 30 days, by currency. */
  netRevenue30Days: PaymentRevenue[];
  webhook: PaymentWebhookEntry;
  createdAt: string;
  version: number;
}

export class PaymentPage {
  items: PaymentEntry[];
  nextCursor: string | null;
}

class PaymentSettingsBody {
  /** What identifies a customer: `stripe_id`, `email`, or `metadata:` and a key. Default `stripe_id`. */
  @MayBeMissing()
  @IsString()
  @Matches(CUSTOMER_ID_TYPE, { message: 'customerIdType must be stripe_id, email, or metadata: and a key' })
  customerIdType?: string;

  /** Events to load; all if omitted. */
  @MayBeMissing()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(paymentEvents.length)
  @ArrayUnique()
  @IsIn(paymentEvents, { each: true })
  events?: PaymentEvent[];

  /** Amounts before (`gross`, the default) or after (`net`) Stripe's fees. */
  @MayBeMissing()
  @IsIn(['gross', 'net'])
  amountMode?: AmountMode;
}

export class CreatePaymentBody extends PaymentSettingsBody {
  /** 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  name: string;

  /** A connected Stripe app that no other payment uses. */
  @IsUUID()
  appId: string;

  /** BigQuery, Mixpanel and PostgreSQL destinations, 1 to 10. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(10)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  destinationIds: string[];

  /** First day to load, in UTC. */
  @Validate(IsDay)
  historyFrom: string;
}

export class UpdatePaymentBody extends PaymentSettingsBody {
  /** 1 to 120 characters. */
  @MayBeMissing()
  @trimmed
  @IsString()
  @Length(1, 120)
  name?: string;

  /** BigQuery, Mixpanel and PostgreSQL destinations, 1 to 10. */
  @MayBeMissing()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(10)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  destinationIds?: string[];

  /** First day to load, in UTC. Rows of earlier days stay at the destinations. */
  @MayBeMissing()
  @Validate(IsDay)
  historyFrom?: string;

  /** The version that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class EnterWebhookSecretBody {
  /** Signing secret of the endpoint in Stripe. It is stored encrypted and never returned. */
  @IsString()
  @Matches(/^whsec_[\w+/=-]{8,200}$/, { message: 'secret must be a signing secret, which begins with whsec_' })
  secret: string;
}

export class PaymentWebhookAnswer {
  received: boolean;
}
