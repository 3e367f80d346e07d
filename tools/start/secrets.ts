import { randomBytes } from 'node:crypto';
import { readJsonFile, writeJsonFile } from '../json-file.ts';

export interface Secrets {
  /** 32 bytes in base64: without it the stored credentials cannot be opened again. */
  encryptionKey: string;
  /** Of the superuser: only the launcher and the sandbox connect as it. */
  postgresPassword: string;
  ownerPassword: string;
  applicationPassword: string;
  /** Shown to every visitor of the demo. */
  warehousePassword: string;
  /** Signs what the sandbox's Stripe tells the product. */
  stripeWebhookSecret: string;
}

const newPassword = () => randomBytes(18).toString('base64url');

/** Made once, kept over restarts, readable by their owner alone. */
export function loadSecrets(file: string): Secrets {
  const kept = readJsonFile<Partial<Secrets>>(file) ?? {};
  const secrets: Secrets = {
    encryptionKey: kept.encryptionKey ?? randomBytes(32).toString('base64'),
    postgresPassword: kept.postgresPassword ?? newPassword(),
    ownerPassword: kept.ownerPassword ?? newPassword(),
    applicationPassword: kept.applicationPassword ?? newPassword(),
    warehousePassword: kept.warehousePassword ?? newPassword(),
    stripeWebhookSecret: kept.stripeWebhookSecret ?? `whsec_${randomBytes(24).toString('base64url')}`,
  };
  writeJsonFile(file, secrets, 0o600);
  return secrets;
}
