import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../tools/ports.ts';
import type { Environment, Processes } from './processes.ts';

export const PROJECT_ID = 'bench';
/** Another build can be measured by its path from this folder, such as ../dist-before/src/main.js. */
const PRODUCT = process.env['PRODUCT'] ?? '../dist/src/main.js';

/** What every process of a benchmark is given. */
export const baseSettings = (databaseUrl: string): Environment => ({
  DATABASE_URL: databaseUrl,
  FIREBASE_PROJECT_ID: PROJECT_ID,
});

/** The API as it runs in production, with limits of calls that a benchmark does not meet. */
export async function startProduct(
  processes: Processes,
  databaseUrl: string,
  overrides: Environment = {},
): Promise<{ url: string; pid: number }> {
  const port = String(await findFreePort());
  const environment = {
    ...baseSettings(databaseUrl),
    NODE_ENV: 'production',
    // Nobody listens there: the product accepts the unsigned token, and its account look-ups fail at once.
    IS_DEMO: 'true',
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
    PORT: port,
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    FIREBASE_API_KEY: 'bench',
    FIREBASE_AUTH_DOMAIN: 'bench.example.com',
    GOOGLE_CLIENT_ID: 'bench',
    GOOGLE_CLIENT_SECRET: 'bench',
    RATE_LIMIT_PER_USER: '1000000000',
    RATE_LIMIT_PER_ORGANIZATION: '1000000000',
    RATE_LIMIT_PER_ADDRESS: '1000000000',
    ...overrides,
  };
  await processes.finish(PRODUCT, { ...environment, ROLE: 'migrate' });
  const pid = processes.start(PRODUCT, { ...environment, ROLE: 'api' });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await wait(100);
  return { url, pid };
}
