import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../tools/ports.ts';
import type { Environment, Processes } from './processes.ts';

export const PROJECT_ID = 'bench';
/** To measure another build, set its path relative to this folder, such as ../dist-before/src/main.js. */
const PRODUCT = process.env['PRODUCT'] ?? '../dist/src/main.js';
const START_TIMEOUT_MS = 60_000;

/** Settings of every process of a benchmark. */
export const baseSettings = (databaseUrl: string): Environment => ({
  DATABASE_URL: databaseUrl,
  FIREBASE_PROJECT_ID: PROJECT_ID,
});

/** Connects Google Ads and the exchange rates to the sandbox. */
export const sandboxSettings = (url: string): Environment => ({
  EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
  GOOGLE_ADS_BASE_URL: `${url}/google-ads`,
  GOOGLE_OAUTH_AUTHORIZE_URL: `${url}/google-ads/oauth/auth`,
  GOOGLE_OAUTH_TOKEN_URL: `${url}/google-ads/oauth/token`,
  GOOGLE_OAUTH_REVOKE_URL: `${url}/google-ads/oauth/revoke`,
  EXCHANGE_RATES_URL: `${url}/exchange-rates/eurofxref-hist.csv`,
});

/** The API with production settings and rate limits that a benchmark does not reach. */
export async function startProduct(
  processes: Processes,
  databaseUrl: string,
  overrides: Environment = {},
): Promise<{ url: string; pid: number; environment: Environment }> {
  const port = String(await findFreePort());
  const environment = {
    ...baseSettings(databaseUrl),
    NODE_ENV: 'production',
    // No emulator runs there: the product accepts unsigned tokens, and its account look-ups fail immediately.
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
  return { ...(await startApi(processes, environment, port)), environment };
}

/** @param environment of a started product; another API process of it needs another port */
export async function startApi(
  processes: Processes,
  environment: Environment,
  port: string,
): Promise<{ url: string; pid: number }> {
  const pid = processes.start(PRODUCT, { ...environment, PORT: port, ROLE: 'api' });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady())) {
    if (Date.now() > deadline) throw new Error(`the API did not start within ${START_TIMEOUT_MS} ms`);
    await wait(100);
  }
  return { url, pid };
}

/** Its log is not shown. */
export const startWorker = (processes: Processes, environment: Environment): number =>
  processes.start(PRODUCT, { ...environment, ROLE: 'worker' });
