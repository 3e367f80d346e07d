import { expect, test } from 'vitest';
import type { Connection } from '~/api/types';
import { reconnectPage, repairPage } from './repair-page';

const connectionWith = (failure: object | null, endedAccess: 'source' | 'destination' | null = null) =>
  ({
    source: { id: 'source', appId: 'google', provider: 'google_ads' },
    destination: { id: 'destination', provider: 'mixpanel' },
    endedAccess,
    failure,
  }) as unknown as Connection;

const failureOf = (failureClass: string, code: string) => ({ class: failureClass, code, message: 'Failed', action: 'Add a key' });

const APP = '/org/app/google';
const DESTINATION = '/org/destination/destination/configuration';

test.each([
  ['source', APP],
  ['destination', DESTINATION],
] as const)('the access of the %s is restored on its page', (side, to) =>
  expect(reconnectPage('org', connectionWith(failureOf('auth', 'app.needs_reauth'), side))).toMatchObject({ to }),
);

test.each([
  ['a permission at the source', 'permission', 'google_ads.denied', APP],
  ['a permission at the destination', 'permission', 'mixpanel.http_403', DESTINATION],
  ['credentials of the destination', 'auth', 'mixpanel.http_401', DESTINATION],
  ['settings of the source', 'config', 'google_ads.unknown_field', '/org/source/source/google/configuration'],
  ['settings of the destination', 'config', 'mixpanel.http_404', DESTINATION],
  ['a forbidden host of the destination', 'config', 'egress.refused', DESTINATION],
  ['the destination', 'destination', 'mixpanel.row_refused', DESTINATION],
])('a failure of %s is fixed on its page', (_what, failureClass, code, to) =>
  expect(repairPage('org', connectionWith(failureOf(failureClass, code)))).toMatchObject({ to }),
);

test.each([[null], [failureOf('destination', 'sync.mismatch')], [failureOf('quota', 'google_ads.quota')]])(
  'a new run fixes %o',
  (failure) => expect(repairPage('org', connectionWith(failure))).toBeNull(),
);
