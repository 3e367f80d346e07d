import type { DynamicModule } from '@nestjs/common';
import { ConfigModule, getConfigToken, registerAs } from '@nestjs/config';
import { type DeclaredSettings, readEnv } from './env.js';

const NAME = 'settings';

/** What ConfigModule calls the settings. Modules inject them as `ENV`. */
export const SETTINGS = getConfigToken(NAME);

/**
 * Nest's ConfigModule with the settings from environment variables. Rejects with one error that lists every invalid setting, before
 * Nest starts: Nest would print a stack trace.
 *
 * The settings are loaded, not passed to `validate`: ConfigModule copies the result of `validate` to `process.env`, so that child
 * processes would inherit secrets that come from files.
 */
export async function loadSettings(source: NodeJS.ProcessEnv, declared: DeclaredSettings): Promise<DynamicModule> {
  const env = readEnv(source, declared);
  return ConfigModule.forRoot({
    load: [registerAs(NAME, () => env)],
    // Compose, or whatever starts the process, reads .env.
    ignoreEnvFile: true,
    validatePredefined: false,
    skipProcessEnv: true,
  });
}
