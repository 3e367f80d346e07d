/** The identity project of the tokens that the tests create. */
export const FIREBASE_PROJECT_ID = 'demo-test';

/** Settings of the product. Unsigned tokens of the identity emulator are accepted, as in the demo. */
export const testSettings = (databaseUrl: string, overrides: Record<string, string> = {}): Record<string, string> => ({
  NODE_ENV: 'test',
  ROLE: 'api',
  PORT: '0',
  PUBLIC_URL: 'http://localhost:3000',
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  FIREBASE_PROJECT_ID,
  FIREBASE_API_KEY: 'test-key',
  FIREBASE_AUTH_DOMAIN: 'test.example.com',
  FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
  EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
  // Events are stored but not delivered.
  CUSTOMER_IO_SITE_ID: 'test-site',
  CUSTOMER_IO_API_KEY: 'test-key',
  CUSTOMER_IO_URL: 'http://127.0.0.1:1/api/v1',
  GOOGLE_CLIENT_ID: 'test-client',
  GOOGLE_CLIENT_SECRET: 'test-secret',
  META_APP_ID: 'test-app',
  META_APP_SECRET: 'test-secret',
  MICROSOFT_CLIENT_ID: 'test-client',
  MICROSOFT_CLIENT_SECRET: 'test-secret',
  MICROSOFT_DEVELOPER_TOKEN: 'test-developer-token',
  // Tests send requests faster than users.
  RATE_LIMITS: 'off',
  LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
  ...overrides,
});

/** Addresses of the platforms in a test. */
export const sandboxSettings = (sandboxUrl: string): Record<string, string> => ({
  EXCHANGE_RATES_URL: `${sandboxUrl}/exchange-rates/eurofxref-hist.csv`,
  GOOGLE_ADS_BASE_URL: `${sandboxUrl}/google-ads`,
  GOOGLE_DATA_MANAGER_BASE_URL: `${sandboxUrl}/data-manager`,
  GOOGLE_OAUTH_AUTHORIZE_URL: `${sandboxUrl}/google-ads/oauth/auth`,
  GOOGLE_OAUTH_TOKEN_URL: `${sandboxUrl}/google-ads/oauth/token`,
  GOOGLE_OAUTH_REVOKE_URL: `${sandboxUrl}/google-ads/oauth/revoke`,
  META_GRAPH_URL: `${sandboxUrl}/meta-ads`,
  META_DIALOG_URL: `${sandboxUrl}/meta-ads`,
  MICROSOFT_AUTHORIZE_URL: `${sandboxUrl}/microsoft-ads/oauth2/v2.0/authorize`,
  MICROSOFT_TOKEN_URL: `${sandboxUrl}/microsoft-ads/oauth2/v2.0/token`,
  MICROSOFT_CUSTOMER_URL: `${sandboxUrl}/microsoft-ads`,
  MICROSOFT_CAMPAIGN_URL: `${sandboxUrl}/microsoft-ads`,
  MICROSOFT_REPORTING_URL: `${sandboxUrl}/microsoft-ads`,
  MICROSOFT_UET_URL: `${sandboxUrl}/microsoft-ads/uet`,
  BIGQUERY_BASE_URL: `${sandboxUrl}/bigquery-api`,
  BIGQUERY_TOKEN_URL: `${sandboxUrl}/bigquery-api/token`,
  MIXPANEL_BASE_URL: `${sandboxUrl}/mixpanel`,
  STRIPE_PAYMENTS_URL: sandboxUrl,
});
