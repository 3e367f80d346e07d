import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodesOf, fieldAt, messageOf } from './protos.js';
import { problemsOf } from '../proto-json.js';
import { adsScope, startSandbox, type Sandbox } from '../sandbox-process.js';

const northwind = '9001000011';
const manager = '9001000001';
const order = '7010000114';
const website = '7010000111';

let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  token = (await sandbox.signIn('demo@example.com', [adsScope])).accessToken;
  // The summaries have rows only after an upload.
  const conversions = await Promise.all([{ orderId: 'first' }, { gclid: 'TEST' }, { conversionDateTime: 'x' }].map(aConversion));
  await ask(':uploadClickConversions', { conversions, partialFailure: true });
});
afterAll(() => sandbox.stop());

async function ask(path: string, body: object): Promise<{ status: number; json: Record<string, unknown> }> {
  const answer = await fetch(`${sandbox.url}/google-ads/v25/customers/${northwind}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'login-customer-id': manager,
      'developer-token': 'sandbox-allow-listed',
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

const daysAgo = (days: number): string =>
  `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')}+00:00`;

async function aConversion(overrides: object): Promise<object> {
  const at = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const path = `data-manager/clicks?customerId=${northwind}&at=${at}`;
  const { clicks } = await sandbox.admin<{ clicks: { id: string }[] }>(path);
  return {
    gclid: clicks[0]?.id,
    conversionAction: `customers/${northwind}/conversionActions/${order}`,
    conversionDateTime: daysAgo(2),
    conversionValue: 30,
    currencyCode: 'EUR',
    ...overrides,
  };
}

/** Differences between the failure in an upload's answer and the protos. */
function failureProblems({ partialFailureError }: Record<string, unknown>): string[] {
  const { details } = partialFailureError as { details: Record<string, unknown>[] };
  return details.flatMap(({ '@type': type, ...failure }) => {
    expect(type).toBe('type.googleapis.com/google.ads.googleads.v25.errors.GoogleAdsFailure');
    return problemsOf(messageOf('errors.GoogleAdsFailure'), failure);
  });
}

const withoutFailure = ({ partialFailureError: _, ...rest }: Record<string, unknown>): Record<string, unknown> => rest;

describe("Google's protos agree with", () => {
  it('the answer and the errors of an upload of clicks', async () => {
    const wrong = [
      { gclid: 'TEST' },
      { conversionAction: 'x' },
      { conversionDateTime: 'x' },
      { currencyCode: 'XYZ' },
      { conversionAction: `customers/${northwind}/conversionActions/${website}` },
      { gclid: undefined },
      { userIdentifiers: [{ hashedEmail: 'x' }] },
      { orderId: 'a' },
    ];
    const conversions = await Promise.all([{ orderId: 'a' }, ...wrong].map(aConversion));
    const { status, json } = await ask(':uploadClickConversions', { conversions, partialFailure: true });
    expect(status).toBe(200);
    const failure = json.partialFailureError as { details: [{ errors: object[] }] };
    expect(failure.details[0].errors).toHaveLength(wrong.length);
    expect(failureProblems(json)).toEqual([]);
    expect(problemsOf(messageOf('services.UploadClickConversionsResponse'), withoutFailure(json))).toEqual([]);
  });

  it('the answer and the errors of an adjustment', async () => {
    const adjustment = {
      conversionAction: `customers/${northwind}/conversionActions/${order}`,
      adjustmentType: 'RESTATEMENT',
      adjustmentDateTime: daysAgo(1),
      orderId: 'a',
      restatementValue: { adjustedValue: 10 },
    };
    const conversionAdjustments = [
      adjustment,
      adjustment,
      { ...adjustment, orderId: 'b' },
      { ...adjustment, orderId: undefined },
    ];
    const { json } = await ask(':uploadConversionAdjustments', { conversionAdjustments, partialFailure: true });
    expect(failureProblems(json)).toEqual([]);
    expect(json.results).toHaveLength(conversionAdjustments.length);
    expect(problemsOf(messageOf('services.UploadConversionAdjustmentsResponse'), withoutFailure(json))).toEqual([]);
  });

  it.each(['offline_conversion_upload_conversion_action_summary', 'offline_conversion_upload_client_summary'])(
    'every field of %s',
    async (resource) => {
      const names = 'client status total_event_count successful_event_count pending_event_count last_upload_date_time';
      const fields = `${names} daily_summaries job_summaries alerts`.split(' ').map((name) => `${resource}.${name}`);
      expect(fields.filter((field) => fieldAt(field) === null)).toEqual([]);
      const { json } = await ask('/googleAds:search', { query: `SELECT ${fields.join(', ')} FROM ${resource}` });
      expect(json.results).not.toHaveLength(0);
      expect(problemsOf(messageOf('services.SearchGoogleAdsResponse'), json)).toEqual([]);
    },
  );

  it('every field of a conversion action', async () => {
    const names = 'origin primary_for_goal type value_settings.default_value value_settings.always_use_default_value';
    const fields = names.split(' ').map((name) => `conversion_action.${name}`);
    const { json } = await ask('/googleAds:search', { query: `SELECT ${fields.join(', ')} FROM conversion_action` });
    expect(json.results).not.toHaveLength(0);
    expect(problemsOf(messageOf('services.SearchGoogleAdsResponse'), json)).toEqual([]);
  });

  it('the code for developers that are not allow-listed', () => {
    expect(errorCodesOf('notAllowlistedError')).toContain('CUSTOMER_NOT_ALLOWLISTED_FOR_THIS_FEATURE');
  });
});
