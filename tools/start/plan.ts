import type { DataFolder } from './data-folder.ts';
import type { Ports } from './ports.ts';
import type { Secrets } from './secrets.ts';

/** With the `demo-` prefix, Firebase's tools never call the real service. */
export const FIREBASE_PROJECT_ID = 'demo-tributary';
export const DEMO_EMAIL = 'demo@example.com';
export const DEMO_PASSWORD = 'tributary-demo';

/** Input of all steps. */
export interface Plan {
  data: DataFolder;
  ports: Ports;
  secrets: Secrets;
  /** Reload when a source file changes. */
  isDevelopment: boolean;
  /** Organizations need a subscription at the simulated Stripe. */
  isBilled: boolean;
  /** Another build of the backend, for tests of it. */
  extension: Extension | null;
}

export interface Extension {
  /** The program to start instead of `backend/dist/src/main.js`. */
  main: string;
  settings: Record<string, string>;
}

const local = (port: number) => `http://127.0.0.1:${port}`;

export const addresses = ({ ports }: Plan) => ({
  /** `localhost`, not 127.0.0.1: browsers and Firebase allow sign-in there without further settings. */
  product: `http://localhost:${ports.product}`,
  auth: local(ports.auth),
  authHub: local(ports.authHub),
  sandbox: local(ports.sandbox),
  mail: local(ports.mail),
  metrics: `${local(ports.metrics)}/metrics`,
});
