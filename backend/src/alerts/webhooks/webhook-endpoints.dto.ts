import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsString, Length, Max, Min } from 'class-validator';
import { INTEGER_MAX } from '../../core/http/limits.js';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

export const WEBHOOK_KINDS = ['signed', 'slack'] as const;

export class CreateWebhookBody {
  /** `signed` sends JSON with a signature; `slack` sends a message to an incoming webhook of Slack. */
  @IsIn(WEBHOOK_KINDS)
  kind: (typeof WEBHOOK_KINDS)[number];

  /** 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  name: string;

  /** An https address of a public host. The address of Slack is stored encrypted and never returned. */
  @trimmed
  @IsString()
  @Length(10, 2_000)
  url: string;
}

export class UpdateWebhookBody {
  /** 1 to 120 characters. */
  @MayBeMissing()
  @trimmed
  @IsString()
  @Length(1, 120)
  name?: string;

  /** An https address of a public host. */
  @MayBeMissing()
  @trimmed
  @IsString()
  @Length(10, 2_000)
  url?: string;

  @MayBeMissing()
  @IsBoolean()
  isEnabled?: boolean;

  /** The version that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class WebhookEndpointEntry {
  id: string;
  kind: (typeof WEBHOOK_KINDS)[number];
  name: string;
  /** Null for Slack, whose address is a secret. */
  url: string | null;
  host: string;
  isEnabled: boolean;
  /** `failures`: no delivery succeeded for five days; null if it is enabled. */
  disabledReason: 'user' | 'failures' | null;
  /** First failed delivery since the last successful one. */
  failingSince: string | null;
  lastDeliveredAt: string | null;
  createdAt: string;
  version: number;
}

export class WebhookEndpointPage {
  items: WebhookEndpointEntry[];
  nextCursor: string | null;
}

export class WebhookWithSecret {
  endpoint: WebhookEndpointEntry;
  /** Secret of the signatures. It is shown only once; null for Slack. */
  secret: string | null;
}

export class WebhookAttempt {
  at: string;
  /** HTTP status; null if there was no response. */
  status: number | null;
  durationMs: number;
  error: string | null;
}

export class WebhookDeliveryEntry {
  id: string;
  /** Type of the event, such as `alert.opened`. */
  event: string;
  state: 'queued' | 'delivered' | 'failed';
  /** Attempts since it was queued. */
  attempts: number;
  /** The last 20 attempts, oldest first. */
  history: WebhookAttempt[];
  /** When it is sent next; null if it is not queued. */
  nextAttemptAt: string | null;
  responseStatus: number | null;
  /** The first 1,000 characters of the last response. */
  responseExcerpt: string | null;
  lastError: string | null;
  createdAt: string;
  deliveredAt: string | null;
}

export class WebhookDeliveryPage {
  items: WebhookDeliveryEntry[];
  nextCursor: string | null;
}
