import { ConsoleLogger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { createApp } from '../src/create-app.js';
import { createDocument } from '../src/openapi.js';
import { productWaits, type Waits, WAITS } from '../src/core/config/waits.js';
import { AnswerValidator } from './answer-validator.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { Http } from './http.js';
import { testSettings } from './settings.js';

export { sandboxSettings, testSettings } from './settings.js';

export interface TestApp {
  url: string;
  http: Http;
  database: TestDatabase;
  get: NestExpressApplication['get'];
  nest: NestExpressApplication;
  stop(): Promise<void>;
}

/** Long enough to happen one after the other, short enough not to hold up a test. `productWaits` is what the product uses. */
export const shortWaits: Waits = {
  ...productWaits,
  queuePollMs: 200,
  runHeartbeatMs: 1_000,
  webhookTimeoutMs: 1_000,
  connectors: {
    bigquery: { retryMs: 50 },
    // The sandbox refuses more than three exports a second, as Mixpanel does.
    mixpanel: { retryDelayMs: 500, visibilityWaitsMs: [500, 500, 1_000] },
    meta_ads: { failedRunPauseMs: 100 },
    microsoft_ads: { firstPollMs: 50, longestPollMs: 1_000, concurrencyWaitMs: 5_000 },
  },
  paymentRetryMs: 200,
  paymentGraceMs: 0,
};

/** The product's application with other waits. The caller calls `listen` or `init`, as for `createApp`. */
export function createTestApp(settings: Record<string, string>, waits: Waits = shortWaits): Promise<NestExpressApplication> {
  return createApp(settings, async (module, adapter, options) => {
    const testing = await Test.createTestingModule({ imports: [module] })
      .overrideProvider(WAITS)
      .useValue(waits)
      // The testing logger hides warnings.
      .setLogger(new ConsoleLogger({ logLevels: ['error', 'warn'] }))
      .compile();
    return testing.createNestApplication<NestExpressApplication>(adapter, options);
  });
}

/** The document does not depend on the settings. It and its compiled schemas cost 0.5 s, so the files of one process share them. */
let validator: AnswerValidator | undefined;

type Settings = Record<string, string>;

/** The whole product with its own database, called over HTTP. */
export async function startTestApp(
  overrides: Settings | ((databaseUrl: string) => Promise<Settings>) = {},
  waits: Waits = shortWaits,
): Promise<TestApp> {
  const database = await createTestDatabase();
  const settings = typeof overrides === 'function' ? await overrides(database.url) : overrides;
  const app = await createTestApp(testSettings(database.url, settings), waits);
  validator ??= new AnswerValidator(await createDocument(app));
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    url,
    http: new Http(url, validator),
    database,
    get: app.get.bind(app),
    nest: app,
    stop: async () => {
      await app.close();
      await database.stop();
    },
  };
}
