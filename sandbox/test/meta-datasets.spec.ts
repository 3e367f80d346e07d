import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closed, de, errorOf, outlet, shop, startMeta, stores, tokyo, us, type Answer } from './meta.ts';

const scopes = ['ads_read', 'ads_management'];

let meta: Awaited<ReturnType<typeof startMeta>>;
let demo: string;
let limited: string;
/** Created in Events Manager for the dataset `shop`. */
let shopToken: string;
beforeAll(async () => {
  meta = await startMeta();
  [demo, limited] = await Promise.all([meta.signInWith(scopes), meta.signInWith(scopes, 'limited@example.com')]);
  shopToken = await meta.datasetToken(shop);
});
afterAll(() => meta.close());

describe('the datasets of an account', () => {
  const list = (accountId: string, token = demo, parameters: Record<string, string> = {}): Promise<Answer> =>
    meta.get(`act_${accountId}/adspixels`, token, parameters);

  it('cannot be read with a token of Events Manager, or without access to the account', async () => {
    expect(errorOf(await list(de, shopToken))).toBe('200');
    expect(errorOf(await list(us, limited))).toBe('200');
    expect(errorOf(await list(closed))).toBe('100/33');
  });

  it('are listed in pages, with the requested fields', async () => {
    const fields = 'id,name,owner_business,is_unavailable';
    const first = await list(us, demo, { fields, limit: '1', summary: 'total_count' });
    expect(first.body).toMatchObject({
      data: [{ id: shop, name: 'Northwind "shop"', is_unavailable: false, owner_business: { name: 'Northwind Group' } }],
      summary: { total_count: 2 },
    });
    const next = (await (await fetch(String(first.body.paging?.next))).json()) as Answer['body'];
    expect(next.data?.[0]).toMatchObject({ id: stores });
    expect(next.paging?.next).toBeUndefined();
    expect((await list(us)).body.data).toEqual([{ id: shop }, { id: stores }]);
    expect((await list(outlet)).body).toEqual({ data: [] });
  });

  it('can be read one by one, with the token of each', async () => {
    expect((await meta.get(shop, shopToken, { fields: 'name' })).body).toEqual({ id: shop, name: 'Northwind "shop"' });
    expect(errorOf(await meta.get(tokyo, shopToken))).toBe('100/33');
    expect(errorOf(await meta.get('710000000000099', demo))).toBe('100/33');
  });

  it('are shown on the start page', async () => {
    expect(await (await fetch(meta.url)).text()).toContain(`<td>${shop}</td>`);
  });
});

describe('the administration', () => {
  it.each([
    ['GET', 'received?datasetId=1', undefined],
    ['GET', 'received?limit=0', undefined],
    ['GET', 'dataset-token', undefined],
    ['POST', 'browser-events', { datasetId: shop }],
    ['POST', 'browser-events', { event_name: 'Lead' }],
  ])('rejects %s %s %o', async (method, path, body) => {
    expect((await meta.admin(`meta-ads/${path}`, body, method)).status).toBe(400);
  });
});
