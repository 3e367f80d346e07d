import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import type { z } from 'zod';
import { settings } from './settings.js';

/** The parsed settings. At run time also those that connectors declare, which only their folders know and type. */
export type Env = z.infer<typeof settings>;

/** Settings that are declared outside of `core`, by connectors. */
export interface DeclaredSettings {
  shape: z.ZodRawShape;
  /** Names of settings that must be set together. */
  together: readonly (readonly string[])[];
}

/** Injection token of the settings. */
export const ENV = Symbol('ENV');

export class SettingsError extends Error {
  override name = 'SettingsError';
}

/**
 * Reads the settings from environment variables. `X_FILE` names a file that contains the value of `X`, for container secrets.
 * Throws one error that lists every invalid setting.
 */
export function readEnv(source: NodeJS.ProcessEnv, declared: DeclaredSettings): Env {
  const all = settings.extend(declared.shape);
  const { values, problems } = withFiles(source, Object.keys(all.shape));
  const parsed = all.safeParse(values);
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => describe(issue, values)));
  else problems.push(...findConflicts(parsed.data as Env, declared.together));
  if (problems.length > 0 || !parsed.success) {
    throw new SettingsError(`Invalid configuration. Fix these settings:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
  }
  return parsed.data as Env;
}

function withFiles(source: NodeJS.ProcessEnv, names: string[]): { values: Record<string, string>; problems: string[] } {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of names) {
    const file = source[`${name}_FILE`];
    // An empty value counts as unset: compose files pass `X=` for unset variables.
    if (source[name] && file) problems.push(`Set ${name} or ${name}_FILE, not both`);
    if (source[name]) values[name] = source[name];
    else if (file) {
      try {
        values[name] = readFileSync(file, 'utf8').trim();
      } catch {
        problems.push(`${name}_FILE: cannot read ${file}`);
      }
    }
  }
  return { values, problems };
}

function describe(issue: z.core.$ZodIssue, values: Record<string, string>): string {
  const name = String(issue.path[0]);
  return name in values ? `${name}: ${issue.message}` : `${name}: is missing`;
}

/** Settings that other settings require. */
const REQUIRED: [isChosen: (env: Env) => boolean, why: string, names: (keyof Env)[]][] = [
  [({ BILLING }) => BILLING === 'stripe', 'BILLING=stripe', ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_ID']],
  [
    (env) => Boolean(env.CUSTOMER_IO_SITE_ID ?? env.CUSTOMER_IO_API_KEY),
    'Customer.io',
    ['CUSTOMER_IO_SITE_ID', 'CUSTOMER_IO_API_KEY'],
  ],
];

/** The queue keeps one connection for each of its five groups of slots, and a run needs up to three. */
const SMALLEST_WORKER_POOL = 8;

/** Settings that are valid on their own but not together. */
function findConflicts(env: Env, together: DeclaredSettings['together']): string[] {
  const problems = REQUIRED.filter(([isChosen]) => isChosen(env)).flatMap(([, why, names]) =>
    names.filter((name) => env[name] === undefined).map((name) => `${name}: is missing, and ${why} needs it`),
  );
  if (env.NODE_ENV === 'production' && env.FIREBASE_AUTH_EMULATOR_HOST && !env.IS_DEMO) {
    problems.push(
      'FIREBASE_AUTH_EMULATOR_HOST: its tokens are unsigned, so anyone could sign in as any user. Unset it, or set IS_DEMO=true for a demo',
    );
  }
  if ((env.ROLE === 'worker' || env.ROLE === 'all') && env.DATABASE_POOL_SIZE < SMALLEST_WORKER_POOL) {
    problems.push(
      `DATABASE_POOL_SIZE: must be at least ${SMALLEST_WORKER_POOL} for ROLE=${env.ROLE}: its queue keeps five connections`,
    );
  }
  if ((env.ROLE === 'api' || env.ROLE === 'all') && env.METRICS_PORT === env.PORT && env.PORT !== 0)
    problems.push('METRICS_PORT: must not be the PORT, on which the API listens');
  problems.push(...exposures(env));
  const keyProject = env.FIREBASE_SERVICE_ACCOUNT?.project_id;
  if (keyProject !== undefined && keyProject !== env.FIREBASE_PROJECT_ID) {
    problems.push('FIREBASE_SERVICE_ACCOUNT: its project_id is not FIREBASE_PROJECT_ID; use a key of that project');
  }
  const all: Record<string, unknown> = env;
  for (const names of together) {
    const missing = names.filter((name) => all[name] === undefined);
    if (missing.length > 0 && missing.length < names.length)
      problems.push(`${missing.join(', ')}: is missing. These settings must be set together: ${names.join(', ')}`);
  }
  return problems;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** @param host an address or a name; IPv6 in a URL is in brackets */
function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  return version === 0 ? address.toLowerCase() === 'localhost' : LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** A demo shows its password, and the emulator's tokens are unsigned. Neither may be reachable from another machine. */
function exposures({ IS_DEMO, FIREBASE_AUTH_EMULATOR_HOST, HOST, PUBLIC_URL }: Env): string[] {
  const problems: string[] = [];
  if ((IS_DEMO || FIREBASE_AUTH_EMULATOR_HOST) && !isLoopback(HOST))
    problems.push('HOST: users of other machines could sign in to this demo as any user. Set HOST=127.0.0.1');
  if (IS_DEMO && !isLoopback(new URL(PUBLIC_URL).hostname))
    problems.push('PUBLIC_URL: a demo must not be public. Use a localhost address, or unset IS_DEMO');
  return problems;
}
