import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const port = z.coerce.number().int().min(0).max(65_535);
function isNetwork(text: string): boolean {
  const [address = '', bits = ''] = text.split('/');
  return isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128);
}
/** Names that Express knows for private networks. */
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];
const isTrustedProxies = (text: string): boolean =>
  /^\d+$/.test(text) ||
  text.split(',').every((part) => {
    const trimmed = part.trim();
    return NAMED_NETWORKS.includes(trimmed) || isIP(trimmed) > 0 || isNetwork(trimmed);
  });
/** 43 digits and the padding. */
const encryptionKey = z.string().regex(/^[\d+/A-Za-z]{43}=$/, 'must be the base64 of exactly 32 bytes (openssl rand -base64 32)');
const serviceAccountKey = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().refine(isPrivateKey),
});
function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).type === 'private';
  } catch {
    return false;
  }
}
/** The error message contains no part of the value, because it is a secret. */
const serviceAccount = z.string().transform((text, context) => {
  try {
    return serviceAccountKey.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'must be the JSON of a service account key' });
    return z.NEVER;
  }
});
const httpUrl = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** Every setting of the product, without those that connectors declare: its meaning, its allowed values and its default. */
export const settings = z.object({
  /** `production` rejects settings that are only safe on a developer's machine. */
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  /** What this process does: serve the API, run jobs, both, or migrate the database and exit. */
  ROLE: z.enum(['api', 'worker', 'all', 'migrate']).default('all'),
  /** TCP port of the API and the web app. */
  PORT: port.default(3000),
  /** Address to listen on. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /**
   * Seconds between SIGTERM and the end of accepting connections. Meanwhile `/readyz` returns 503 and requests are served, so that a load
   * balancer notices. Longer than its interval of health checks; 0 without one.
   */
  SHUTDOWN_DELAY_SECONDS: z.coerce.number().int().min(0).max(60).default(0),
  /** Address of the product in browsers. OAuth redirect URLs start with it. */
  PUBLIC_URL: httpUrl,
  /** PostgreSQL 15 or newer. The role needs only the privileges that ROLE=migrate grants. It is neither superuser nor owner. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** The same database with the role of its owner, which applies migrations. Used by ROLE=migrate only. Default: DATABASE_URL. */
  MIGRATION_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /**
   * The same database and role without a pooler. Required if DATABASE_URL is a pooler in transaction mode, such as PgBouncer: sessions
   * that listen or hold locks use this URL, and named prepared statements are not used. Default: DATABASE_URL.
   */
  DIRECT_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Maximum number of PostgreSQL connections of this process. At least 8 for a worker. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(100).default(10),
  /** Key-encryption key: 32 random bytes, base64. Without it, stored credentials cannot be decrypted. */
  ENCRYPTION_KEY: encryptionKey,
  /** The previous key during a key rotation. Used to decrypt only. */
  ENCRYPTION_KEY_PREVIOUS: encryptionKey.optional(),
  /** Firebase project that is used for sign-in. */
  FIREBASE_PROJECT_ID: z.string().min(1),
  /** Web API key of that project. It is not a secret. */
  FIREBASE_API_KEY: z.string().min(1),
  /** Host of the project's sign-in pop-up. */
  FIREBASE_AUTH_DOMAIN: z.string().min(1),
  /** `host:port` of the Firebase Auth emulator. Its tokens are unsigned, so production rejects it unless IS_DEMO is set. */
  FIREBASE_AUTH_EMULATOR_HOST: z
    .string()
    .regex(/^[^:/\s]+:\d+$/, 'must be host:port')
    .optional(),
  /**
   * Service account key of that project, as JSON. Unset: no account look-ups, so users who are disabled at Firebase keep access.
   */
  FIREBASE_SERVICE_ACCOUNT: serviceAccount.optional(),
  /** Marks a demo instance: permits the auth emulator and shows the demo's sign-in. */
  IS_DEMO: flag.default(false),
  /** Sign-in of the demo, shown on its sign-in page. */
  DEMO_EMAIL: z.string().optional(),
  DEMO_PASSWORD: z.string().optional(),
  /**
   * A public test database, offered as a destination in the demo's wizard. Every user sees this URL: never use a real database.
   */
  DEMO_WAREHOUSE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** A restricted key of the sandbox's Stripe, offered in the demo. Every user sees it: never use a key of a real account. */
  DEMO_STRIPE_KEY: z.string().startsWith('rk_test_').optional(),
  /**
   * Daily reference rates, as the European Central Bank publishes them (CSV or ZIP of it), such as
   * https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip. Unset: costs are shown in each account's currency only.
   */
  EXCHANGE_RATES_URL: httpUrl.optional(),
  /**
   * Private networks in CIDR form, comma separated, that users may use as a database host or in the address of a webhook; `*` allows all.
   * Unset: hosts in private, link-local and reserved networks are rejected, so that users cannot scan the internal network.
   */
  EGRESS_ALLOWED_NETWORKS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((network) => network.trim())
        .filter((network) => network !== ''),
    )
    .refine(
      (networks) => networks.every((network) => network === '*' || isNetwork(network)),
      'must be networks such as 10.0.0.0/8, comma separated, or *',
    ),
  /** Mail server, such as smtp://user:password@mail.example.com:587. Unset: mails are queued until it is set, for at most seven days. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Sender of every mail. */
  MAIL_FROM: z.string().min(3).default('Tributary <no-reply@localhost>'),
  /** Messenger API secret of Intercom. Unset: users are not identified to Intercom. */
  INTERCOM_SECRET: z.string().min(1).optional(),
  /** Intercom workspace whose messenger the web app shows. Unset: Intercom is not loaded. */
  INTERCOM_APP_ID: z
    .string()
    .regex(/^\w{1,64}$/, 'must be letters and digits')
    .optional(),
  /** API of the workspace's region. The other regions are api-iam.eu.intercom.io and api-iam.au.intercom.io. */
  INTERCOM_API_BASE: httpUrl.default('https://api-iam.intercom.io'),
  /** Track API credentials of Customer.io. Unset: no event and no trait is stored or sent. */
  CUSTOMER_IO_SITE_ID: z.string().min(1).optional(),
  CUSTOMER_IO_API_KEY: z.string().min(1).optional(),
  /** Region of the workspace's data. */
  CUSTOMER_IO_REGION: z.enum(['us', 'eu']).default('us'),
  /** Overrides the region's address. Only for tests and demos. */
  CUSTOMER_IO_URL: httpUrl.optional(),
  /** Billing provider. With `none` every organization counts as subscribed and no Stripe setting is required. */
  BILLING: z.enum(['none', 'stripe']).default('none'),
  /** Base URL of the /billing endpoints in browsers. Default: PUBLIC_URL. */
  BILLING_API_BASE: httpUrl.optional(),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  /** Signing secret of the webhook endpoint. Two secrets, comma separated, during a rotation. */
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .transform((text) => text.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every(Boolean), 'must be one secret, or several secrets separated by commas')
    .optional(),
  /** Recurring Stripe price that checkout uses. */
  STRIPE_PRICE_ID: z.string().min(1).optional(),
  STRIPE_API_URL: httpUrl.default('https://api.stripe.com'),
  /** Free trial days of an organization's first subscription; 0: no trial. */
  TRIAL_DAYS: z.coerce.number().int().min(0).max(730).default(14),
  /** Maximum number of connections per organization. Unset: no limit. */
  PLAN_CONNECTIONS: z.coerce.number().int().min(1).optional(),
  /** Maximum number of organizations a person may create. Deleted organizations count for 30 days. */
  ORGANIZATIONS_PER_PERSON: z.coerce.number().int().min(1).default(20),
  /**
   * Proxies in front of this process, in the format of Express's "trust proxy": a number of proxies, or addresses. Unset: none.
   */
  TRUSTED_PROXIES: z
    .string()
    .min(1)
    .refine(isTrustedProxies, 'must be a number of proxies, or addresses and networks separated by commas')
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : text))
    .optional(),
  /** Turns rate limits on or off. */
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  /** Requests per minute: per person or API key, per organization, and per IP address (an office may share one). */
  RATE_LIMIT_PER_USER: z.coerce.number().int().min(1).default(1_200),
  RATE_LIMIT_PER_ORGANIZATION: z.coerce.number().int().min(1).default(6_000),
  RATE_LIMIT_PER_ADDRESS: z.coerce.number().int().min(1).default(6_000),
  /** Requests per minute with one push key of a custom app, each with up to 1,000 events. */
  RATE_LIMIT_PER_PUSH_KEY: z.coerce.number().int().min(1).default(600),
  /**
   * User-triggered requests per day (UTC) of one organization to one platform: account list refreshes, lookback windows, app
   * checks, estimates and test events. Runs are not counted.
   */
  PROVIDER_CALLS_PER_DAY: z.coerce.number().int().min(1).default(2_000),
  /** Maximum number of stored events that were pushed to an organization's custom apps. Events expire after 90 days. */
  PUSH_EVENTS_PER_ORGANIZATION: z.coerce.number().int().min(1).max(2_000_000_000).default(5_000_000),
  /** Maximum number of custom apps per organization. */
  CUSTOM_APPS_PER_ORGANIZATION: z.coerce.number().int().min(1).default(20),
  /**
   * Requests per minute per organization that look up or contact a host that a user entered: checks of destinations, changes, tests and
   * repeated deliveries of webhooks, imports of a configuration.
   */
  RATE_LIMIT_CHECKS_PER_ORGANIZATION: z.coerce.number().int().min(1).default(30),
  /** Port of /metrics, separate from PORT. 0: any free port. Unset: no metrics. */
  METRICS_PORT: port.optional(),
  /** Folder of the built web app. Unset: serve the API only. */
  STATIC_DIR: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Runs that a worker process executes concurrently. Other jobs have slots of their own: 18 in total (`jobs.ts`). */
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(50).default(4),
  /** Seconds between keep-alives of the live stream. Each keep-alive also rechecks access. */
  LIVE_KEEP_ALIVE_SECONDS: z.coerce
    .number()
    .int()
    .min(5, 'must be between 5 and 30')
    .max(30, 'must be between 5 and 30')
    .default(15),
  /**
   * Maximum bytes that a browser stores of what a user saw on the last visit of an organization. It is shown, marked as stale,
   * until newer data arrives.
   */
  READ_CACHE_BYTES: z.coerce.number().int().min(1_048_576, 'must be at least 1048576').default(41_943_040),
  /** Where users get help: a page or a mailto: address. Unset: the web app refers to the operator of the instance. */
  SUPPORT_URL: z.url({ protocol: /^(https?|mailto)$/ }).optional(),
  /** Addresses of a demo's sandbox and mail catcher, for links in the web app. */
  SANDBOX_URL: httpUrl.optional(),
  MAIL_URL: httpUrl.optional(),
});
