import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const port = z.coerce.number().int().min(0).max(65_535);
function isNetwork(text: string): boolean {
  const [address = '', bits = ''] = text.split('/');
  return isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128);
}
const encryptionKey = z
  .base64()
  .refine(
    (text) => Buffer.from(text, 'base64').length === 32,
    'must be the base64 of exactly 32 bytes (openssl rand -base64 32)',
  );
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
/** The message names no part of the value: it is a secret. */
const serviceAccount = z.string().transform((text, context) => {
  try {
    return serviceAccountKey.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'must be the JSON of a service account key' });
    return z.NEVER;
  }
});
const httpUrl = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** Every setting of the product, one entry each: what it means, what it may be, what it is when nobody sets it. */
export const settings = z.object({
  /** `production` refuses settings that are only safe on a developer's machine. */
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  /** What this process does: serve, work through jobs, both, or bring the database up to date and end. */
  ROLE: z.enum(['api', 'worker', 'all', 'migrate']).default('all'),
  /** TCP port of the API and the web app. */
  PORT: port.default(3000),
  /** Address to listen on. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Where browsers reach the product; OAuth redirects are built from it. */
  PUBLIC_URL: httpUrl,
  /** PostgreSQL 15 or newer. The role needs no right beyond those that ROLE=migrate grants it: no superuser, no owner. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** The same database as its owner, who applies migrations. Read by ROLE=migrate only; unset: DATABASE_URL. */
  MIGRATION_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Connections this process may hold to PostgreSQL. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(100).default(10),
  /** Key-encryption key: 32 random bytes, base64. Whoever loses it loses every stored credential. */
  ENCRYPTION_KEY: encryptionKey,
  /** The key before it, while it is being replaced: still opens what it closed, and closes nothing. */
  ENCRYPTION_KEY_PREVIOUS: encryptionKey.optional(),
  /** Firebase project that signs people in. */
  FIREBASE_PROJECT_ID: z.string().min(1),
  /** Web API key of that project; public by nature. */
  FIREBASE_API_KEY: z.string().min(1),
  /** Host of the project's sign-in pop-up. */
  FIREBASE_AUTH_DOMAIN: z.string().min(1),
  /** `host:port` of the Firebase Auth emulator. Its tokens carry no signature: refused in production unless IS_DEMO. */
  FIREBASE_AUTH_EMULATOR_HOST: z
    .string()
    .regex(/^[^:/\s]+:\d+$/, 'must be host:port')
    .optional(),
  /** Service account key of that project, as JSON. Unset: no look-ups, so disabling an account at Firebase has no effect here. */
  FIREBASE_SERVICE_ACCOUNT: serviceAccount.optional(),
  /** Marks an instance whose data is only for show: permits the auth emulator, shows the demo's sign-in. */
  IS_DEMO: flag.default(false),
  /** Sign-in of the demo, shown on its sign-in page. */
  DEMO_EMAIL: z.string().optional(),
  DEMO_PASSWORD: z.string().optional(),
  /** A database anybody may write to, offered as a destination in the demo's wizard. Shown to everybody: never a real one. */
  DEMO_WAREHOUSE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** OAuth client at Google, with the Google Ads API enabled in its project. Unset: Google is not offered. */
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_OAUTH_AUTHORIZE_URL: httpUrl.default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_OAUTH_TOKEN_URL: httpUrl.default('https://oauth2.googleapis.com/token'),
  GOOGLE_OAUTH_REVOKE_URL: httpUrl.default('https://oauth2.googleapis.com/revoke'),
  GOOGLE_ADS_BASE_URL: httpUrl.default('https://googleads.googleapis.com'),
  /** Major version of the Google Ads API; majors live about twelve months. */
  GOOGLE_ADS_API_VERSION: z
    .string()
    .regex(/^v\d+$/, 'must look like v26')
    .default('v26'),
  /** App of type Business at Meta, with the product Marketing API. Unset: Meta is not offered. */
  META_APP_ID: z.string().min(1).optional(),
  META_APP_SECRET: z.string().min(1).optional(),
  META_GRAPH_URL: httpUrl.default('https://graph.facebook.com'),
  META_DIALOG_URL: httpUrl.default('https://www.facebook.com'),
  /** Versions for ads live about a year. */
  META_API_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must look like v26.0')
    .default('v26.0'),
  /** App registration in Microsoft Entra, and the developer token of a Microsoft Advertising account. Unset: not offered. */
  MICROSOFT_CLIENT_ID: z.string().min(1).optional(),
  MICROSOFT_CLIENT_SECRET: z.string().min(1).optional(),
  MICROSOFT_DEVELOPER_TOKEN: z.string().min(1).optional(),
  MICROSOFT_AUTHORIZE_URL: httpUrl.default('https://login.microsoftonline.com/common/oauth2/v2.0/authorize'),
  MICROSOFT_TOKEN_URL: httpUrl.default('https://login.microsoftonline.com/common/oauth2/v2.0/token'),
  MICROSOFT_CUSTOMER_URL: httpUrl.default('https://clientcenter.api.bingads.microsoft.com'),
  MICROSOFT_CAMPAIGN_URL: httpUrl.default('https://campaign.api.bingads.microsoft.com'),
  MICROSOFT_REPORTING_URL: httpUrl.default('https://reporting.api.bingads.microsoft.com'),
  /** How long a report that Meta or Microsoft prepares is waited for, over all attempts, before that counts as a fault of theirs. */
  REPORT_PATIENCE_SECONDS: z.coerce.number().int().min(1).max(86_400).default(3_600),
  BIGQUERY_BASE_URL: httpUrl.default('https://bigquery.googleapis.com'),
  /** Where service accounts get their tokens; a key file that names another address is refused. */
  BIGQUERY_TOKEN_URL: httpUrl.default('https://oauth2.googleapis.com/token'),
  /** A stand-in for Mixpanel with one path for each region; unset: Mixpanel itself. */
  MIXPANEL_BASE_URL: httpUrl.optional(),
  /**
   * Daily reference rates, as the European Central Bank publishes them (CSV or ZIP of it), such as
   * https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip. Unset: costs stay in each account's currency alone.
   */
  EXCHANGE_RATES_URL: httpUrl.optional(),
  /**
   * Networks in CIDR form, comma separated, that users may name as a database host although they are not public; `*` allows
   * all. Unset: hosts in private, link-local and reserved networks are refused, so that nobody looks around in yours.
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
  /** Mail server, such as smtp://user:password@mail.example.com:587. Unset: mails stay queued until it is set. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Sender of every mail. */
  MAIL_FROM: z.string().min(3).default('Tributary <no-reply@localhost>'),
  /** Messenger API secret of Intercom; unset: nobody is identified there. */
  INTERCOM_SECRET: z.string().min(1).optional(),
  /** Workspace of Intercom whose messenger the web app shows; unset: nothing of Intercom is loaded. */
  INTERCOM_APP_ID: z
    .string()
    .regex(/^\w{1,64}$/, 'must be letters and digits')
    .optional(),
  /** Where the messenger's data is: api-iam.eu.intercom.io and api-iam.au.intercom.io are the other regions. */
  INTERCOM_API_BASE: httpUrl.default('https://api-iam.intercom.io'),
  /** Track API credentials of Customer.io. Unset: no event and no trait is written, kept or sent. */
  CUSTOMER_IO_SITE_ID: z.string().min(1).optional(),
  CUSTOMER_IO_API_KEY: z.string().min(1).optional(),
  /** Where the workspace's data is kept. */
  CUSTOMER_IO_REGION: z.enum(['us', 'eu']).default('us'),
  /** Overrides the region's address; changes only in tests and demos. */
  CUSTOMER_IO_URL: httpUrl.optional(),
  /** Who pays: with `none` every organization is subscribed and nothing of Stripe is needed. */
  BILLING: z.enum(['none', 'stripe']).default('none'),
  /** Where browsers reach the calls under /billing; unset: where they reach everything else. */
  BILLING_API_BASE: httpUrl.optional(),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  /** Signing secret of the webhook endpoint; two, comma-separated, while one replaces the other. */
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .transform((text) => text.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every(Boolean), 'must be one secret, or several with commas between them')
    .optional(),
  /** Recurring price that checkout sells. */
  STRIPE_PRICE_ID: z.string().min(1).optional(),
  STRIPE_API_URL: httpUrl.default('https://api.stripe.com'),
  /** Days the first subscription of an organization is free; 0: none. */
  TRIAL_DAYS: z.coerce.number().int().min(0).max(730).default(14),
  /** Connections an organization may have; unset: any number. */
  PLAN_CONNECTIONS: z.coerce.number().int().min(1).optional(),
  /** Organizations one person may create; deleted ones count for 30 days. */
  ORGANIZATIONS_PER_PERSON: z.coerce.number().int().min(1).default(20),
  /** Proxies in front of this process, as Express's "trust proxy" takes them: a count, or addresses. Unset: none. */
  TRUSTED_PROXIES: z
    .string()
    .min(1)
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : text))
    .optional(),
  /** Whether calls are counted and refused when there are too many. */
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  /** Calls a minute: of one person or key, of one organization, of one address (an office may share one). */
  RATE_LIMIT_PER_USER: z.coerce.number().int().min(1).default(1_200),
  RATE_LIMIT_PER_ORGANIZATION: z.coerce.number().int().min(1).default(6_000),
  RATE_LIMIT_PER_ADDRESS: z.coerce.number().int().min(1).default(6_000),
  /** Calls a minute with one push key of a custom app, each of up to 1,000 events. */
  RATE_LIMIT_PER_PUSH_KEY: z.coerce.number().int().min(1).default(600),
  /**
   * Requests a day (UTC) that one organization may cause at one platform by hand: refreshed account lists, windows, app checks,
   * estimates and test events. Runs are not counted.
   */
  PROVIDER_CALLS_PER_DAY: z.coerce.number().int().min(1).default(2_000),
  /** Events pushed to custom apps that an organization may store at a time; they expire after 90 days. */
  PUSH_EVENTS_PER_ORGANIZATION: z.coerce.number().int().min(1).max(2_000_000_000).default(5_000_000),
  /** Custom apps an organization may have. */
  CUSTOM_APPS_PER_ORGANIZATION: z.coerce.number().int().min(1).default(20),
  /** Checks of destinations a minute in one organization: each connects to a server that a user has named. */
  RATE_LIMIT_CHECKS_PER_ORGANIZATION: z.coerce.number().int().min(1).default(30),
  /** Port of /metrics, apart from the public one; 0 takes a free one, unset switches it off. */
  METRICS_PORT: port.optional(),
  /** Folder of the built web app; unset serves the API alone. */
  STATIC_DIR: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Runs a worker process works on at once. All other jobs have four slots of their own. */
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(50).default(4),
  /** Seconds between keep-alives of the live stream. Access is checked again at each. */
  LIVE_KEEP_ALIVE_SECONDS: z.coerce
    .number()
    .int()
    .min(5, 'must be between 5 and 30')
    .max(30, 'must be between 5 and 30')
    .default(15),
  /** Where the sandbox and the mail catcher of a demo are, for links in the web app. */
  SANDBOX_URL: httpUrl.optional(),
  MAIL_URL: httpUrl.optional(),
});
