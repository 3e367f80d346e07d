import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Secrets } from '../../core/encryption/secrets.js';

const storedSchema = z.object({
  /** Address of an incoming webhook of Slack. */
  url: z.string().optional(),
  current: z.string().optional(),
  /** Signs too until `previousUntil`, so that receivers have time to change the secret. */
  previous: z.string().optional(),
  previousUntil: z.iso.datetime().optional(),
});
export type WebhookSecret = z.infer<typeof storedSchema>;

/** Encrypts and decrypts the secrets of endpoints. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly secrets: Secrets) {}

  seal(organizationId: string, endpointId: string, secret: WebhookSecret): Promise<string> {
    return this.secrets.encrypt(placeOf(organizationId, endpointId), secret);
  }

  async open(organizationId: string, endpointId: string, sealed: string): Promise<WebhookSecret> {
    return storedSchema.parse(await this.secrets.decrypt(placeOf(organizationId, endpointId), sealed));
  }
}

const placeOf = (organizationId: string, rowId: string) =>
  ({ table: 'webhook_endpoints', column: 'secret', organizationId, rowId }) as const;

export const signingSecretsOf = ({ current, previous, previousUntil }: WebhookSecret, now: Date): string[] =>
  [current, previousUntil !== undefined && new Date(previousUntil) > now ? previous : undefined].filter(
    (secret) => secret !== undefined,
  );
