import type { Instance } from '../../../tools/start/instance-file.ts';

/** The instance of the global setup. */
export function instance(): Instance {
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
