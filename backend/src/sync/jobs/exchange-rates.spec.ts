import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { daysAgo } from '../../../test/factories.js';
import { ExchangeRates } from './exchange-rates.js';

let sandbox: Sandbox;
let app: TestApp;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'api', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});

it('chunks that start while the first of them loads the rates all get them', async () => {
  const rates = app.get(ExchangeRates);
  const days = { from: daysAgo(10), to: daysAgo(1) };
  for (let round = 0; round < 5; round++) {
    await app.database.query('delete from exchange_rates');
    const opened: Promise<number | null>[] = [];
    // A few milliseconds apart, until the first of them has loaded the rates.
    for (let isLoaded = false; !isLoaded;) {
      opened.push(rates.open('USD', 'JPY', days).then((exchange) => exchange?.rate('JPY', days.to) ?? null));
      isLoaded = (await app.database.query('select 1 from exchange_rates limit 1')).length > 0;
    }
    expect((await Promise.all(opened)).filter((rate) => rate === null)).toEqual([]);
  }
});
