import { expect, test } from 'vitest';
import { googleApiOf } from './google-api';

test.each([
  [null, null],
  [{ datasetId: '1' }, null],
  [{ conversionActionId: '1' }, 'data_manager'],
  [{ conversionActionId: '1', api: 'data_manager' }, 'data_manager'],
  [{ conversionActionId: '1', api: 'google_ads_upload' }, 'google_ads_upload'],
])('the API of %j is %s', (settings, api) => expect(googleApiOf(settings)).toBe(api));
