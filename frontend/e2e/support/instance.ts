import type { Instance } from '../../../tools/start/instance-file.ts';

let own: Instance | null = null;

/**
 * The tests of this process use another instance than the one of the global setup. Not through an environment variable: Playwright passes
 * changed ones on to the projects that depend on the present one.
 */
export function useInstance(instance: Instance): void {
  own = instance;
}

/** The instance of the global setup, or that of `useInstance`. */
export function instance(): Instance {
  if (own) return own;
  const text = process.env.E2E_INSTANCE;
  if (!text) throw new Error('The global setup has not started an instance');
  return JSON.parse(text) as Instance;
}

export interface Demo {
  email: string;
  password: string;
  organizationId: string;
  connectionId: string;
}

export function demo(): Demo {
  const { demo: seeded } = instance();
  if (!seeded) throw new Error('The instance has no demo');
  return seeded;
}

export interface Warehouse {
  host: string;
  port: string;
  database: string;
  user: string;
  password: string;
}

export function warehouse(): Warehouse {
  const url = new URL(instance().warehouseUrl);
  return {
    host: url.hostname,
    port: url.port,
    database: url.pathname.slice(1),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}
