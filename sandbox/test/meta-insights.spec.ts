import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closed, daily, de, errorOf, everyStatus, jp, outlet, range, rowsOf, startMeta, sumOf, us } from './meta.ts';

let meta: Awaited<ReturnType<typeof startMeta>>;
let demo: string;
beforeAll(async () => {
  meta = await startMeta();
  demo = await meta.signIn();
});
afterEach(() => meta.admin('faults', undefined, 'DELETE'));
afterAll(() => meta.close());

describe('the list of accounts', () => {
  const fields = 'id,account_id,name,currency,timezone_name,account_status,business';

  it('comes in pages: the last has a cursor and no next address', async () => {
    const first = await meta.get('me/adaccounts', demo, { fields, limit: '3' });
    expect(rowsOf(first)).toHaveLength(3);
    const next = new URL(String(first.body.paging?.next));
    expect(next.origin).toBe(meta.url);
    expect(next.searchParams.get('access_token')).toBe(demo);
    const last = (await (await fetch(next)).json()) as typeof first.body;
    expect(last).toMatchObject({ data: [{ id: `act_${outlet}`, name: 'Northwind Outlet', currency: 'GBP', account_status: 1 }] });
    expect(last.paging).toEqual({ cursors: { before: expect.any(String), after: expect.any(String) } });
  });

  it('rejects business without business_management, but returns its name', async () => {
    const token = await meta.signIn('demo@example.com', ['ads_read']);
    const refused = await meta.get('me/adaccounts', token, { fields });
    expect({ status: refused.status, error: errorOf(refused) }).toEqual({ status: 403, error: '200' });
    const named = rowsOf(await meta.get('me/adaccounts', token, { fields: 'account_id,business_name' }));
    expect(named.map((one) => one.business_name)).toEqual([...Array<string>(3).fill('Northwind Group'), undefined]);
  });

  it('is empty for a user without accounts, and has then no paging', async () => {
    const token = await meta.signIn('nobody@example.com');
    expect((await meta.get('me/adaccounts', token)).body).toEqual({ data: [] });
  });

  it('contains forbidden accounts', async () => {
    const token = await meta.signIn('limited@example.com');
    const listed = rowsOf(await meta.get('me/adaccounts', token, { fields }));
    expect(listed.map((one) => [one.account_id, one.account_status])).toEqual([
      [de, 1],
      [us, 1],
      [closed, 101],
    ]);
    expect(rowsOf(await meta.insights(token, closed, daily('account', 9, 5))).length).toBeGreaterThan(0);
    const refused = await meta.insights(token, us);
    expect({ status: refused.status, error: errorOf(refused) }).toEqual({ status: 403, error: '200' });
    expect(errorOf(await meta.insights(token, jp))).toBe('100/33');
  });
});

describe('an invalid request', () => {
  it.each([
    [{ fields: 'impressions,nonsense' }, '100'],
    [{ level: 'keyword' }, '100'],
    [{ time_range: '{"since":"2026-02-30","until":"2026-03-01"}' }, '100'],
    [{ time_range: range(3, 5) }, '100'],
    [{ time_range: range(1_200, 1_190) }, '3018'],
    [{ time_increment: '91' }, '100'],
    [{ action_attribution_windows: '["28d_view"]' }, '100'],
    [{ breakdowns: 'age,country' }, '2/1504041'],
    [{ breakdowns: 'platform_position' }, '2/1504041'],
    [{ limit: '0' }, '100'],
    [{ after: 'nonsense' }, '100/33'],
    [{ filtering: '[{"field":"spend","operator":"NEAR","value":["1"]}]' }, '100'],
    [{ filtering: '[{"field":"campaign.effective_status","operator":"IN","value":["ACTIVE","ADSET_PAUSED"]}]' }, '100'],
    [{ filtering: '[{"field":"adset.effective_status","operator":"IN","value":["PENDING_REVIEW"]}]' }, '100'],
  ])('%j is rejected with %s and HTTP 400', async (parameters, error) => {
    const answer = await meta.insights(demo, de, parameters);
    expect({ status: answer.status, error: errorOf(answer) }).toEqual({ status: 400, error });
  });

  it('with an unknown version is an invalid path; an ended version is served by the oldest supported one', async () => {
    expect(errorOf(await meta.get('me', demo, {}, 'GET', 'v99.0'))).toBe('2500');
    const old = await meta.get('me', demo, {}, 'GET', 'v19.0');
    expect([old.status, old.headers.get('facebook-api-version')]).toEqual([200, 'v25.0']);
    expect(old.headers.get('x-ad-api-version-warning')).toContain('auto-upgraded to v25.0 as v19.0');
    const current = (await meta.get('me', demo)).headers;
    expect([current.get('facebook-api-version'), current.get('x-ad-api-version-warning')]).toEqual(['v26.0', null]);
  });
});

describe('a row', () => {
  it('has text for every number and omits empty fields and fields below its level', async () => {
    const fields = 'account_currency,campaign_id,campaign_name,ad_id,impressions,clicks,spend,reach,actions,inline_link_clicks';
    const rows = rowsOf(await meta.insights(demo, de, daily('campaign', 20, 5, { fields })));
    for (const row of rows) {
      expect(row).toMatchObject({ impressions: expect.any(String), clicks: expect.any(String), spend: expect.any(String) });
      expect(row).not.toHaveProperty('ad_id');
    }
    expect(rows.some((row) => row.actions === undefined)).toBe(true);
    expect(rows.some((row) => row.actions !== undefined)).toBe(true);
  });

  it('has the requested windows that are not zero, and one purchase with three action types', async () => {
    const windows = ['1d_click', '7d_click', '28d_click', '1d_view'];
    const rows = rowsOf(
      await meta.insights(demo, de, daily('campaign', 60, 50, { action_attribution_windows: JSON.stringify(windows) })),
    );
    const actions = rows.flatMap((row) => (row.actions ?? []) as unknown as Record<string, string>[]);
    const purchases = actions.filter((action) => /purchase$/.test(action.action_type ?? ''));
    expect(new Set(purchases.map((action) => action.action_type))).toEqual(
      new Set(['purchase', 'offsite_conversion.fb_pixel_purchase', 'omni_purchase']),
    );
    expect(purchases.some((action) => !('1d_view' in action) && '28d_click' in action)).toBe(true);
    for (const { value, ...counts } of actions) {
      expect(value).toMatch(/^\d/);
      expect(Object.values(counts)).not.toContain('0');
    }
    const plain = rowsOf(await meta.insights(demo, de, daily('campaign', 60, 50)));
    expect(Object.keys((plain.find((row) => row.actions)?.actions ?? [])[0] as unknown as object)).toEqual([
      'action_type',
      'value',
    ]);
  });

  it('is missing in a synchronous read of an opt-in breakdown', async () => {
    const breakdowns = 'publisher_platform,platform_position,impression_device';
    expect((await meta.insights(demo, de, daily('ad', 9, 9, { breakdowns }))).body).toEqual({ data: [] });
  });

  it.each(['campaign', 'adset', 'ad'])(
    'of an archived or deleted object is missing at level %s unless every status is filtered for, while the account counts it',
    async (level) => {
      const time_range = JSON.stringify({ since: '2026-06-01', until: '2026-06-10' });
      const read = async (parameters: Record<string, string>) =>
        rowsOf(await meta.insights(demo, de, { fields: 'campaign_name,impressions', time_range, ...parameters }));
      const names = (rows: Awaited<ReturnType<typeof read>>) => new Set(rows.map((row) => row.campaign_name));
      const [plain, all] = [await read({ level }), await read({ level, ...everyStatus(level) })];
      expect(names(plain)).not.toContain('Clearance 2025');
      expect(names(plain)).not.toContain('Old look-alikes');
      expect(names(all)).toContain('Clearance 2025');
      expect(names(all)).toContain('Old look-alikes');
      expect(sumOf(all, 'impressions')).toBe(sumOf(await read({ level: 'account' }), 'impressions'));
    },
  );

  it('is missing for inactive objects with a filter, unless a status is filtered', async () => {
    const all = rowsOf(await meta.insights(demo, de, daily('campaign', 320, 300)));
    const ids = [...new Set(all.map((row) => row.campaign_id))];
    const byId = { field: 'campaign.id', operator: 'IN', value: ids };
    const byStatus = { field: 'campaign.effective_status', operator: 'IN', value: ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'] };
    const read = async (filtering: object[]) =>
      rowsOf(await meta.insights(demo, de, daily('campaign', 320, 300, { filtering: JSON.stringify(filtering) })));
    expect((await read([byId])).length).toBeLessThan(all.length);
    expect(await read([byId, byStatus])).toEqual(all);
    expect(await read([{ ...byId, value: ids.slice(0, 1) }, byStatus])).toEqual(all.filter((row) => row.campaign_id === ids[0]));
  });
});

describe('pages', () => {
  const readAll = async (): Promise<unknown[]> => {
    const rows: unknown[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const answer = await meta.insights(demo, de, daily('campaign', 20, 11, { limit: '30', ...(after && { after }) }));
      rows.push(...rowsOf(answer));
      after = answer.body.paging?.next ? String(answer.body.paging.cursors?.after) : undefined;
    }
    return rows;
  };

  it('contain every row once, and can split a day', async () => {
    expect(await readAll()).toEqual(rowsOf(await meta.insights(demo, de, daily('campaign', 20, 11))));
  });

  it.each([
    ['truncate', { rows: 4 }, -4],
    ['short_pages', {}, 0],
  ])('with %s change the number of rows as configured', async (fault, parameters, difference) => {
    const whole = await readAll();
    await meta.fault(fault, parameters);
    expect((await readAll()).length).toBe(whole.length + difference);
  });

  it('can be lost, or repeated before continuing', async () => {
    const whole = await readAll();
    await meta.fault('lose_pages', { times: 1 });
    expect(await readAll()).toEqual(whole.slice(0, 30));
    await meta.fault('repeat_page', { times: 1 });
    expect(await readAll()).toEqual([...whole.slice(0, 30), ...whole]);
  });

  it('are rejected above a size', async () => {
    await meta.fault('page_too_large', { mostRows: 60 });
    const refused = await meta.insights(demo, de, daily('campaign', 20, 11, { limit: '61' }));
    expect(refused).toMatchObject({
      status: 500,
      body: { error: { code: 1, message: expect.stringContaining('reduce the amount') } },
    });
    expect((await meta.insights(demo, de, daily('campaign', 20, 11, { limit: '60' }))).status).toBe(200);
  });

  it.each([false, true])('can have truncated JSON (connection broken: %s)', async (abort) => {
    await meta.fault('truncate_json', { abort });
    await expect(meta.insights(demo, de)).rejects.toThrow();
  });
});

describe('the size of a synchronous report', () => {
  it('is limited: first it times out, then it is rejected', async () => {
    expect(errorOf(await meta.insights(demo, de, daily('ad', 20, 1, { breakdowns: 'age,gender' })))).toBe('2/1504038');
    expect(errorOf(await meta.insights(demo, de, daily('ad', 60, 1, { breakdowns: 'age,gender' })))).toBe('100/1487534');
    expect((await meta.insights(demo, de, daily('ad', 5, 1, { breakdowns: 'age,gender' }))).status).toBe(200);
  });

  it('is limited by a fault, which a smaller report does not use up', async () => {
    await meta.fault('report_too_big', { maximumRows: 50, times: 1 });
    expect((await meta.insights(demo, de, daily('campaign', 5, 5))).status).toBe(200);
    expect(errorOf(await meta.insights(demo, de, daily('campaign', 20, 5)))).toBe('100/1487534');
    expect((await meta.insights(demo, de, daily('campaign', 20, 5))).status).toBe(200);
  });
});

describe('every answer', () => {
  it('contains the usage of the limits, also in errors', async () => {
    // On its own sandbox: the usage of the app includes all recent calls.
    const fresh = await startMeta();
    const token = await fresh.signIn();
    for (const answer of [await fresh.insights(token, de), await fresh.insights(token, de, { level: 'x' })]) {
      expect(JSON.parse(answer.headers.get('x-fb-ads-insights-throttle') ?? '')).toMatchObject({
        app_id_util_pct: 1,
        acc_id_util_pct: 1,
      });
      expect(JSON.parse(answer.headers.get('x-business-use-case-usage') ?? '')).toMatchObject({
        [de]: [{ type: 'ads_insights', call_count: 1 }],
      });
    }
    expect(JSON.parse((await fresh.get('me', token)).headers.get('x-app-usage') ?? '')).toHaveProperty('call_count');
    await fresh.fault('load', { percent: 80, accountId: de });
    expect((await fresh.insights(token, de)).headers.get('x-ad-account-usage')).toContain('"acc_id_util_pct":80');
    expect((await fresh.insights(token, us)).headers.get('x-ad-account-usage')).toContain('"acc_id_util_pct":1');
    await fresh.close();
  });

  it('contains the wait time when calls are throttled', async () => {
    await meta.fault('throttle', { waitMinutes: 3, times: 2 });
    for (let call = 0; call < 2; call++) {
      const answer = await meta.insights(demo, de);
      expect(errorOf(answer)).toBe('80000/2446079');
      expect(answer.headers.get('x-business-use-case-usage')).toContain('"estimated_time_to_regain_access":3');
    }
    expect((await meta.insights(demo, de)).status).toBe(200);
  });

  it.each([
    ['permission', '200'],
    ['closed', '100/33'],
  ])('is an error for one account: %s', async (fault, error) => {
    await meta.fault(fault, { accountId: outlet });
    expect(errorOf(await meta.insights(demo, outlet))).toBe(error);
    expect((await meta.insights(demo, de)).status).toBe(200);
  });

  it('is an error of a failing server', async () => {
    await meta.fault('server_error', { times: 1 });
    expect(await meta.insights(demo, de)).toMatchObject({ status: 500, body: { error: { code: 2, is_transient: true } } });
    await meta.fault('drop_connection', { times: 1 });
    await expect(meta.insights(demo, de)).rejects.toThrow();
    await meta.fault('slow', { delayMs: 120, times: 1 });
    const startedAt = performance.now();
    await meta.insights(demo, de);
    expect(performance.now() - startedAt).toBeGreaterThan(110);
  });

  it('is logged without a secret', async () => {
    await meta.get('me', null, { access_token: demo, appsecret_proof: 'a-proof' });
    await meta.extend(demo);
    const text = JSON.stringify((await meta.admin('requests?provider=meta-ads&limit=20')).body);
    for (const secret of [demo, 'a-proof', '"secret"']) expect(text).not.toContain(secret);
    expect(text).toContain('***');
  });
});
