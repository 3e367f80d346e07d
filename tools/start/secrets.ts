import { randomBytes } from 'node:crypto';
import { readJsonFile, writeJsonFile } from '../json-file.ts';

export interface Secrets {
  /** 32 bytes in base64. Without it, stored credentials cannot be decrypted. */
  encryptionKey: string;
  /** Password of the superuser. Only the launcher and the sandbox use it. */
  postgresPassword: string;
  ownerPassword: string;
  applicationPassword: string;
  /** Shown to all users of the demo. */
  warehousePassword: string;
  /** Signs the webhook events of the simulated Stripe. */
  stripeWebhookSecret: string;
}

const newPassword = () => randomBytes(18).toString('base64url');

/** Created once and stored. Only the file's owner can read them. */
export function loadSecrets(file: string): Secrets {
  const stored = readJsonFile<Partial<Secrets>>(file) ?? {};
  const secrets: Secrets = {
    encryptionKey: stored.encryptionKey ?? randomBytes(32).toString('base64'),
    postgresPassword: stored.postgresPassword ?? newPassword(),
    ownerPassword: stored.ownerPassword ?? newPassword(),
    applicationPassword: stored.applicationPassword ?? newPassword(),
    warehousePassword: stored.warehousePassword ?? newPassword(),
    stripeWebhookSecret: stored.stripeWebhookSecret ?? `whsec_${randomBytes(24).toString('base64url')}`,
  };
  writeJsonFile(file, secrets, 0o600);
  return secrets;
}
