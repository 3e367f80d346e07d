import { randomBytes } from 'node:crypto';

/**
 * Fills every empty setting of .env.example. Passwords and the key are random, for one installation. Sign-in and Google are not used.
 */
export function fillSettings(example: string): string {
  return example
    .replaceAll(/^(POSTGRES_\w*PASSWORD)=$/gm, (_, name: string) => `${name}=${randomBytes(24).toString('hex')}`)
    .replaceAll(/^ENCRYPTION_KEY=$/gm, () => `ENCRYPTION_KEY=${randomBytes(32).toString('base64')}`)
    .replaceAll(/^((?:FIREBASE|GOOGLE)_\w+)=$/gm, '$1=unused');
}

/** Passwords and keys among the settings. */
export const secretsOf = (settings: string): string[] =>
  [...settings.matchAll(/^(?:POSTGRES_\w*PASSWORD|ENCRYPTION_KEY)=(.+)$/gm)].map(([, value = '']) => value);
