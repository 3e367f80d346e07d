import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { datasetSettingsSchema } from '../../../src/connectors/meta-conversions/settings.js';
import { startMetaConversionsSandbox, type MetaConversionsSandbox } from './meta-conversions-sandbox.js';

let sandbox: MetaConversionsSandbox;
beforeAll(async () => void (sandbox = await startMetaConversionsSandbox()));
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

it('a list that the user may not read fails with the missing permission', async () => {
  await expect(sandbox.choicesOf('limited@example.com', 'Northwind US')).rejects.toMatchObject({
    name: 'FixSettings',
    code: 'meta_conversions.permission_denied',
  });
});

it('a dataset of a closed account cannot be chosen', async () => {
  expect(await sandbox.choicesOf('limited@example.com', 'Northwind AT (closed)')).toEqual([
    expect.objectContaining({ name: 'Northwind AT', problem: expect.stringContaining('unavailable') }),
  ]);
});

it('an account without datasets has no choices', async () => {
  expect(await sandbox.choicesOf('demo@example.com', 'Northwind Outlet')).toEqual([]);
});

it('all datasets of an account can be chosen, although Meta sends them in several pages', async () => {
  await sandbox.fail('short_pages', { rows: 1 });
  const choices = await sandbox.choicesOf('demo@example.com', 'Northwind US');
  expect(choices).toEqual([
    {
      settings: { datasetId: '710000000000011', eventName: 'Purchase' },
      name: 'Northwind "shop"',
      kind: 'dataset',
      problem: null,
    },
    expect.objectContaining({ name: 'Northwind US, stores & phone', problem: null }),
  ]);
  for (const { settings } of choices) expect(datasetSettingsSchema.parse(settings)).toEqual(settings);
});
