import { pino } from 'pino';
import { expect, it } from 'vitest';
import { testSettings } from '../../test/app.js';
import { readEnv } from '../core/config/env.js';
import { productWaits } from '../core/config/waits.js';
import { Connectors } from './connectors.service.js';
import { connectorSettings } from '../connectors/registry.js';

const silent = pino({ enabled: false });
const settings = testSettings('postgresql://tributary@127.0.0.1/tributary');

it('a platform that is not set up has no conversion target', () => {
  const connectors = new Connectors(
    readEnv({ ...settings, META_APP_ID: '', META_APP_SECRET: '' }, connectorSettings),
    productWaits,
    silent,
  );
  expect(connectors.findConversionTarget('meta_ads')).toBeNull();
  expect(() => connectors.getConversionTarget('meta_ads')).toThrow(/no OAuth client for meta_ads/);
  expect(connectors.getConversionTarget('google_ads').name).toBe('Google Ads');
});

it('a warehouse has no conversion target', () => {
  expect(new Connectors(readEnv(settings, connectorSettings), productWaits, silent).findConversionTarget('bigquery')).toBeNull();
});

it('each ad platform that is set up has one', () => {
  const { all } = new Connectors(readEnv(settings, connectorSettings), productWaits, silent);
  expect(all.conversionTargets.map(({ provider }) => provider)).toEqual(['google_ads', 'meta_ads', 'microsoft_ads']);
});
