import { expect, it } from 'vitest';
import { meaningOfRow } from '../../../src/connectors/microsoft-conversions/row-errors.js';

// Codes and names of guides/operation-error-codes of the Bing Ads API.
it.each([
  [5614, 'FutureConversionTimeCannotBeSet'],
  [5622, 'OfflineConversionFutureAdjustmentTimeCannotBeSet'],
])('error %i is sent again five minutes later, with and without its name', (code, name) => {
  for (const given of [name, null])
    expect(meaningOfRow({ code, name: given })).toMatchObject({ consequence: 'retry', waitSeconds: 300 });
});
