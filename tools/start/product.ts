import type { ProcessPlan } from '../processes/supervised-process.ts';
import { inRepository, nodeProgram } from '../repository.ts';
import { billingSettings } from './billing.ts';
import { addresses, DEMO_EMAIL, DEMO_PASSWORD, FIREBASE_PROJECT_ID, type Plan } from './plan.ts';
import type { Databases } from './postgres.ts';

export type ProductRole = 'api' | 'worker';

/** The product's settings for a demo: the sandbox, the emulator and the mail catcher replace all external services. */
export function productSettings(plan: Plan, databases: Databases): Record<string, string> {
  const { product, sandbox, mail } = addresses(plan);
  const googleAds = `${sandbox}/google-ads`;
  return {
    NODE_ENV: plan.isDevelopment ? 'development' : 'production',
    HOST: '127.0.0.1',
    PORT: String(plan.isDevelopment ? plan.ports.api : plan.ports.product),
    PUBLIC_URL: product,
    DATABASE_URL: databases.product,
    ENCRYPTION_KEY: plan.secrets.encryptionKey,
    FIREBASE_PROJECT_ID,
    FIREBASE_API_KEY: 'demo-api-key', // the emulator accepts any value
    FIREBASE_AUTH_DOMAIN: `${FIREBASE_PROJECT_ID}.firebaseapp.com`,
    FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${plan.ports.auth}`,
    IS_DEMO: 'true',
    DEMO_EMAIL,
    DEMO_PASSWORD,
    // The demo's server has no TLS.
    DEMO_WAREHOUSE_URL: `${databases.warehouse}?sslmode=disable`,
    DEMO_STRIPE_KEY: 'rk_test_northwind_eur', // an account of the sandbox with 60 days of payments
    // The demo's warehouse is on this machine.
    EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    EXCHANGE_RATES_URL: `${sandbox}/exchange-rates/eurofxref-hist.csv`,
    GOOGLE_CLIENT_ID: 'sandbox-client',
    GOOGLE_CLIENT_SECRET: 'sandbox-secret',
    GOOGLE_ADS_BASE_URL: googleAds,
    GOOGLE_ADS_API_VERSION: 'v26',
    GOOGLE_DATA_MANAGER_BASE_URL: `${sandbox}/data-manager`,
    GOOGLE_OAUTH_AUTHORIZE_URL: `${googleAds}/oauth/auth`,
    GOOGLE_OAUTH_TOKEN_URL: `${googleAds}/oauth/token`,
    GOOGLE_OAUTH_REVOKE_URL: `${googleAds}/oauth/revoke`,
    ...platformSettings(sandbox),
    STATIC_DIR: inRepository('frontend', 'dist'),
    SANDBOX_URL: sandbox,
    MAIL_URL: mail,
    SMTP_URL: `smtp://127.0.0.1:${plan.ports.smtp}`,
    MAIL_FROM: 'Tributary <no-reply@tributary.example.com>',
    // The sandbox does not simulate Intercom's script. INTERCOM_* come from the shell's environment.
    CUSTOMER_IO_SITE_ID: 'sandbox-site',
    CUSTOMER_IO_API_KEY: 'sandbox-key',
    CUSTOMER_IO_URL: `${sandbox}/customer-io/api/v1`,
    ...billingSettings(plan),
    ...plan.extension?.settings,
  };
}

/** Settings of the other simulated platforms. */
const platformSettings = (sandbox: string): Record<string, string> => ({
  META_APP_ID: 'sandbox-app',
  META_APP_SECRET: 'sandbox-secret',
  META_GRAPH_URL: `${sandbox}/meta-ads`,
  META_DIALOG_URL: `${sandbox}/meta-ads`,
  MICROSOFT_CLIENT_ID: 'sandbox-client',
  MICROSOFT_CLIENT_SECRET: 'sandbox-secret',
  MICROSOFT_DEVELOPER_TOKEN: 'sandbox-developer-token',
  MICROSOFT_AUTHORIZE_URL: `${sandbox}/microsoft-ads/oauth2/v2.0/authorize`,
  MICROSOFT_TOKEN_URL: `${sandbox}/microsoft-ads/oauth2/v2.0/token`,
  MICROSOFT_CUSTOMER_URL: `${sandbox}/microsoft-ads`,
  MICROSOFT_CAMPAIGN_URL: `${sandbox}/microsoft-ads`,
  MICROSOFT_REPORTING_URL: `${sandbox}/microsoft-ads`,
  MICROSOFT_UET_URL: `${sandbox}/microsoft-ads/uet`,
  BIGQUERY_BASE_URL: `${sandbox}/bigquery-api`,
  BIGQUERY_TOKEN_URL: `${sandbox}/bigquery-api/token`,
  MIXPANEL_BASE_URL: `${sandbox}/mixpanel`,
  STRIPE_PAYMENTS_URL: sandbox,
});

type Callbacks = Pick<ProcessPlan, 'onStart' | 'onRestart'>;

export function planProduct(plan: Plan, role: ProductRole, databases: Databases, callbacks: Callbacks): ProcessPlan {
  const metricsPort = role === 'api' ? plan.ports.metrics : plan.ports.workerMetrics;
  // Limits also make Node collect garbage earlier: a worker with 100,000 conversions takes 283 instead of 439 MB. A larger semi-space, which
  // holds short-lived garbage, saves the API a fifth of its processor time (decision 35).
  const memory =
    role === 'api'
      ? ['--max-semi-space-size=16', '--max-old-space-size=512']
      : ['--max-semi-space-size=4', '--max-old-space-size=384'];
  const watch = plan.isDevelopment ? ['--watch', '--watch-preserve-output'] : [];
  return {
    name: role,
    command: nodeProgram(),
    parameters: [...memory, ...watch, plan.extension?.main ?? 'dist/src/main.js'],
    workingFolder: inRepository('backend'),
    environment: { ...productSettings(plan, databases), ROLE: role, METRICS_PORT: String(metricsPort) },
    logFile: plan.data.logFile(role),
    ...callbacks,
  };
}

/** Rebuilds the backend after every saved file. `node --watch` then restarts the API and the worker. */
export function planBackendWatch({ data }: Plan): ProcessPlan {
  return {
    name: 'backend-watch',
    command: inRepository('node_modules', '.bin', 'swc'),
    parameters: ['src', '--out-dir', 'dist', '--watch'],
    workingFolder: inRepository('backend'),
    environment: {},
    logFile: data.logFile('backend-watch'),
  };
}

/** The web app with hot reload, at the product's address. It forwards the API's paths to BACKEND_URL. */
export function planFrontendDev({ data, ports }: Plan): ProcessPlan {
  return {
    name: 'frontend-dev',
    command: inRepository('node_modules', '.bin', 'vite'),
    parameters: ['--host', '127.0.0.1', '--port', String(ports.product), '--strictPort'],
    workingFolder: inRepository('frontend'),
    environment: { BACKEND_URL: `http://127.0.0.1:${ports.api}` },
    logFile: data.logFile('frontend-dev'),
  };
}
