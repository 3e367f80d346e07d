import { afterEach, expect, test, vi } from 'vitest';
import { findConsentPage } from './authorize-app';
import { listApps } from './apps';
import { listConversions } from './conversions/conversions';
import { listDestinations } from './destinations';
import { listPayments } from './payments/payments';
import { listSources } from './sources';

const O = '0198f3a2-7c41-7d0e-8000-00000000000a';

afterEach(() => vi.unstubAllGlobals());

/** A server that has two pages of each list. */
function serve(second: object): void {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    const page =
      searchParams.get('cursor') === 'second'
        ? { items: [second], nextCursor: null }
        : { items: [{ id: 'first', provider: 'meta_ads', state: 'connected' }], nextCursor: 'second' };
    return Response.json(request.method === 'GET' ? page : { authorizeUrl: pathname });
  });
}

test.each([
  ['sources', listSources],
  ['destinations', listDestinations],
  ['apps', listApps],
  ['conversions', listConversions],
  ['payments', listPayments],
])('the list of %s contains the items of all pages', async (_, list) => {
  serve({ id: 'last' });
  const { items, nextCursor } = await list(O);
  expect(items.map(({ id }) => id)).toEqual(['first', 'last']);
  expect(nextCursor).toBeNull();
});

test('an app of a later page that was never authorized is reused', async () => {
  serve({ id: 'draft', provider: 'meta_ads', state: 'draft' });
  expect(await findConsentPage(O, { provider: 'meta_ads', returnTo: '/' })).toContain('/apps/draft/oauth/start');
});
