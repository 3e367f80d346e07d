import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adsScope, closed, de, jp, manager, outlet, us } from './google.ts';
import {
  aDestination,
  callFromAd,
  dataManagerScope,
  daysAgoAt,
  hoursAgo,
  problemOf,
  purchase,
  removedPurchase,
  sha256,
  signedContract,
  startDataManager,
  violationsOf,
  type Body,
} from './data-manager.ts';

let google: Awaited<ReturnType<typeof startDataManager>>;
beforeAll(async () => void (google = await startDataManager()));
afterEach(() => google.admin('faults', undefined, 'DELETE'));
afterAll(() => google.close());

const email = { emailAddress: sha256('shopper1@example.com') };
const ofEmail = { adIdentifiers: {}, userData: { userIdentifiers: [email] } };
const stored = async (): Promise<number> => Number((await google.received()).events);

describe('a caller', () => {
  it('without a token is not authenticated', async () => {
    const answer = await google.ingestBody({}, 'nonsense');
    expect(answer.status).toBe(401);
    expect(problemOf(answer)).toBe('UNAUTHENTICATED CREDENTIALS_MISSING');
  });

  it('that was not granted the scope of the Data Manager is rejected', async () => {
    const { access_token: token, scope } = await google.signIn('demo@example.com', [adsScope]);
    expect(scope).not.toContain(dataManagerScope);
    const answer = await google.ingestBody({}, token);
    expect(answer.status).toBe(403);
    expect(problemOf(answer)).toBe('PERMISSION_DENIED ACCESS_TOKEN_SCOPE_INSUFFICIENT');
    expect((await google.status('x', token)).status).toBe(403);
  });

  it('is granted the scope together with that of Google Ads', async () => {
    const both = `openid ${adsScope} ${dataManagerScope}`;
    const code = await google.code('demo@example.com', [adsScope, dataManagerScope], { scope: both });
    const { scope } = (await google.exchange(code)).body;
    expect(scope.split(' ')).toEqual(expect.arrayContaining([adsScope, dataManagerScope]));
  });

  it.each([
    ['reaches a client account without its manager', aDestination({ loginAccount: undefined })],
    ['names a manager that is not its own', aDestination({}, outlet)],
    ['names a closed account', aDestination({}, closed)],
    ['names an account that does not exist', aDestination({}, '1234567890')],
  ])('that %s has no permission, and nothing is stored', async (_, destination) => {
    const answer = await google.ingest([await google.anEvent()], { destinations: [destination] });
    expect(answer.status).toBe(403);
    expect(problemOf(answer)).toBe('PERMISSION_DENIED PERMISSION_DENIED');
    expect(await stored()).toBe(0);
  });
});

describe('JSON', () => {
  it.each([
    ['an unknown name', { eventDate: 'x' }, 'events[0]', 'Unknown name "eventDate" at \'events[0]\': Cannot find field.'],
    ['an unknown enum value', { eventSource: 'SHOP' }, 'events[0].event_source', 'v1.EventSource), "SHOP"'],
    ['a consent of the Google Ads API', { consent: { adUserData: 'GRANTED' } }, 'events[0].consent.ad_user_data', '"GRANTED"'],
    ['a text as value', { conversionValue: 'ten' }, 'events[0].conversion_value', '(TYPE_DOUBLE), "ten"'],
    ['a number as id', { transactionId: 17 }, 'events[0].transaction_id', '(TYPE_STRING), 17'],
    ['a time without a zone', { eventTimestamp: '2026-01-01T00:00:00' }, 'events[0].event_timestamp', "must end with 'Z'"],
    ['an impossible time', { eventTimestamp: '2026-02-30T00:00:00Z' }, 'events[0].event_timestamp', 'Failed to parse input'],
  ])('with %s is rejected before the service sees it', async (_, overrides, field, text) => {
    const answer = await google.ingestOne(overrides);
    expect(answer.status).toBe(400);
    expect(violationsOf(answer)).toEqual([field]);
    expect(String(answer.body.error?.message)).toContain(text);
    expect(problemOf(answer)).toBe('INVALID_ARGUMENT');
  });

  it('that cannot be parsed is rejected', async () => {
    const answer = await google.call('events:ingest', { method: 'POST', body: '{"events":' });
    expect(answer.status).toBe(400);
  });

  it.each([
    [5, 200],
    [6, 200],
    [7, 400],
  ])('with the number %i of an event source is answered with %i', async (eventSource, status) => {
    expect((await google.ingestOne({ eventSource }, { validateOnly: true })).status).toBe(status);
  });

  it('with the names of the protocol buffers is accepted', async () => {
    const { eventTimestamp, transactionId, ...event } = await google.anEvent();
    const events = [{ ...event, event_timestamp: eventTimestamp, transaction_id: transactionId }];
    expect((await google.ingest(events, { validate_only: true })).status).toBe(200);
  });
});

describe('an error', () => {
  it('has the published format, with the id of the request in two places', async () => {
    const answer = await google.ingest([await google.anEvent()], {
      destinations: [aDestination({ loginAccount: { accountType: 'GOOGLE_ADS', accountId: '900-100-0001' } })],
    });
    const requestId = String(answer.body.error?.details?.[0]?.metadata?.requestId);
    expect(requestId).toMatch(/^t-[0-9a-f-]{36}$/);
    expect(answer.body).toEqual({
      error: {
        code: 400,
        message: 'There was a problem with the request.',
        status: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'INVALID_ARGUMENT',
            domain: 'datamanager.googleapis.com',
            metadata: { requestId },
          },
          { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId },
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [
              {
                field: 'destinations[0].login_account.account_id',
                description: 'String is not a valid number.',
                reason: 'INVALID_NUMBER_FORMAT',
              },
            ],
          },
        ],
      },
    });
  });

  it('names every invalid row, and nothing of the request is stored', async () => {
    const bad = { userData: { userIdentifiers: [email, { emailAddress: 'jane@example.com' }] } };
    const events = [await google.anEvent(bad), await google.anEvent(), await google.anEvent({ currency: 'eur' })];
    const answer = await google.ingest(events, { encoding: 'HEX' });
    expect(violationsOf(answer)).toEqual([
      'events.events[0].user_data.user_identifiers[1] INVALID_HEX_ENCODING',
      'events.events[2].currency INVALID_CURRENCY_CODE',
    ]);
    expect(await stored()).toBe(0);
  });
});

describe('a request is rejected', () => {
  it.each<[string, Body, string]>([
    ['without destinations', { destinations: [] }, 'destinations REQUIRED_FIELD_MISSING'],
    ['without events', { events: [] }, 'events REQUIRED_FIELD_MISSING'],
    ['with eleven destinations', { destinations: Array(11).fill(aDestination()) }, 'destinations TOO_MANY_DESTINATIONS'],
    [
      'with a reference that is used twice',
      { destinations: [aDestination({ reference: 'a' }), aDestination({ reference: 'a' })] },
      'destinations[1].reference DUPLICATE_DESTINATION_REFERENCE',
    ],
    ['that is encrypted, which is not simulated', { encryptionInfo: {} }, 'encryption_info INVALID_ARGUMENT'],
  ])('%s', async (_, more, violation) => {
    const answer = await google.ingestOne({}, more);
    expect(answer.status).toBe(400);
    expect(violationsOf(answer)).toEqual([violation]);
  });

  it('with 2,001 events, and accepted with 2,000', async () => {
    const events = Array(2_001).fill(await google.anEvent()) as Body[];
    expect(violationsOf(await google.ingest(events))).toEqual(['events.events TOO_MANY_EVENTS']);
    expect((await google.ingest(events.slice(1), { validateOnly: true })).status).toBe(200);
  });

  it.each([{}, { encoding: 'ENCODING_UNSPECIFIED' }])('with user data and the encoding %j', async (more) => {
    expect(violationsOf(await google.ingestOne(ofEmail, more))).toEqual(['encoding REQUIRED_FIELD_MISSING']);
    expect((await google.ingestOne({}, { ...more, validateOnly: true })).status).toBe(200);
  });
});

describe('a destination is rejected', () => {
  const account = (overrides: Body): Body => ({
    operatingAccount: { accountType: 'GOOGLE_ADS', accountId: de, ...overrides },
  });

  it.each<[string, Body, string]>([
    ['without an operating account', { operatingAccount: undefined }, 'operating_account REQUIRED_FIELD_MISSING'],
    ['without a type of account', account({ accountType: undefined }), 'operating_account.account_type REQUIRED_FIELD_MISSING'],
    ['with two types', account({ product: 'DATA_PARTNER' }), 'operating_account.account_type INVALID_ENUM_VALUE'],
    [
      'with no specified type',
      account({ accountType: 'ACCOUNT_TYPE_UNSPECIFIED' }),
      'operating_account.account_type INVALID_ENUM_VALUE',
    ],
    [
      'with another type than the account has',
      account({ accountType: 'GOOGLE_ANALYTICS_PROPERTY' }),
      'operating_account.account_type DESTINATION_ACCOUNT_TYPE_MISMATCH',
    ],
    [
      'with dashes in the account id',
      account({ accountId: '900-100-0011' }),
      'operating_account.account_id INVALID_NUMBER_FORMAT',
    ],
    [
      'with a linked account',
      { linkedAccount: { accountType: 'GOOGLE_ADS', accountId: de } },
      'linked_account LINKED_ACCOUNT_ONLY_ALLOWED_WITH_DATA_PARTNER_LOGIN_ACCOUNT',
    ],
    ['without a conversion action', { productDestinationId: '' }, 'product_destination_id REQUIRED_FIELD_MISSING'],
    [
      'with a resource name as conversion action',
      { productDestinationId: `customers/${de}/conversionActions/1` },
      'product_destination_id INVALID_NUMBER_FORMAT',
    ],
    ['with an unknown conversion action', { productDestinationId: '42' }, 'product_destination_id INVALID_CONVERSION_ACTION_ID'],
    ['with a removed one', { productDestinationId: removedPurchase }, 'product_destination_id INVALID_CONVERSION_ACTION_ID'],
    [
      'with one of another account',
      { productDestinationId: '7010000124' },
      'product_destination_id INVALID_CONVERSION_ACTION_ID',
    ],
    ['with one for calls', { productDestinationId: callFromAd }, 'product_destination_id INVALID_CONVERSION_ACTION_TYPE'],
  ])('%s', async (_, overrides, violation) => {
    const answer = await google.ingest([await google.anEvent()], { destinations: [aDestination(overrides)] });
    expect(answer.status).toBe(400);
    expect(violationsOf(answer)).toEqual([`destinations[0].${violation}`]);
  });

  it('if the account does not own the conversion action: with cross-account conversion tracking the manager does', async () => {
    const events = [await google.anEvent()];
    const ofManager = { productDestinationId: '7010000014' };
    const wrong = await google.ingest(events, { destinations: [aDestination(ofManager, jp)] });
    expect(violationsOf(wrong)).toEqual(['destinations[0].product_destination_id INVALID_CONVERSION_ACTION_ID']);
    const right = await google.ingest(events, { destinations: [aDestination(ofManager, manager)], validateOnly: true });
    expect(right.status).toBe(200);
  });
});

describe('an event is rejected', () => {
  it.each<[string, Body, string]>([
    ['without a time', { eventTimestamp: undefined }, '.event_timestamp REQUIRED_FIELD_MISSING'],
    ['from the future', { eventTimestamp: hoursAgo(-1) }, '.event_timestamp EVENT_TIME_INVALID'],
    ['older than 90 days', { eventTimestamp: daysAgoAt(91) }, '.event_timestamp EVENT_TIME_INVALID'],
    ['without an identifier', { adIdentifiers: {} }, ' NO_IDENTIFIERS_PROVIDED'],
    ['with two click ids', { adIdentifiers: { gclid: 'a', wbraid: 'b' } }, '.ad_identifiers INVALID_EVENT'],
    ['without a source', { eventSource: undefined }, '.event_source REQUIRED_FIELD_MISSING'],
    ['with an unspecified source', { eventSource: 'EVENT_SOURCE_UNSPECIFIED' }, '.event_source INVALID_ENUM_VALUE'],
    ['with a currency in lower case', { currency: 'eur' }, '.currency INVALID_CURRENCY_CODE'],
    ['with a currency that does not exist', { currency: 'XYZ' }, '.currency INVALID_CURRENCY_CODE'],
    ['for a destination that does not exist', { destinationReferences: ['b'] }, '.destination_references[0] INVALID_DESTINATION'],
    ['with an empty cart', { cartData: { items: [] } }, '.cart_data.items REQUIRED_FIELD_MISSING'],
    [
      'with an email address in a custom variable',
      { customVariables: [{ variable: 'plan', value: 'jane@example.com' }] },
      '.custom_variables[0].value CUSTOM_VARIABLE_VALUE_CONTAINS_PII',
    ],
    [
      "with a third party's user data",
      { thirdPartyUserData: { userIdentifiers: [email] } },
      '.third_party_user_data THIRD_PARTY_USER_DATA_NOT_ALLOWED',
    ],
    ['with empty user data', { userData: { userIdentifiers: [] } }, '.user_data.user_identifiers REQUIRED_FIELD_MISSING'],
    [
      'with eleven identifiers',
      { userData: { userIdentifiers: Array(11).fill(email) } },
      '.user_data.user_identifiers TOO_MANY_USER_IDENTIFIERS',
    ],
  ])('%s', async (_, overrides, violation) => {
    const answer = await google.ingestOne(overrides, { encoding: 'HEX' });
    expect(answer.status).toBe(400);
    expect(violationsOf(answer)).toEqual([`events.events[0]${violation}`]);
  });

  const name = sha256('jane');
  const address = { givenName: name, familyName: name, regionCode: 'DE', postalCode: '10115' };
  it.each<[string, Body, string, string]>([
    ['a plain email address', { emailAddress: 'jane@example.com' }, 'HEX', 'INVALID_HEX_ENCODING'],
    ['an MD5 hash', { emailAddress: 'd41d8cd98f00b204e9800998ecf8427e' }, 'HEX', 'INVALID_SHA256_FORMAT'],
    ['characters that are not base64', { phoneNumber: '%%%' }, 'BASE64', 'INVALID_BASE64_ENCODING'],
    ['hexadecimal text as base64', { phoneNumber: sha256('+1') }, 'BASE64', 'INVALID_SHA256_FORMAT'],
    ['two identifiers in one', { ...email, phoneNumber: sha256('+1') }, 'HEX', 'REQUIRED_FIELD_MISSING'],
    ['a name that is not hashed', { address: { ...address, givenName: 'jane' } }, 'HEX', 'INVALID_HEX_ENCODING'],
  ])('with %s', async (_, identifier, encoding, reason) => {
    const answer = await google.ingestOne({ userData: { userIdentifiers: [identifier] } }, { encoding });
    expect(violationsOf(answer)).toEqual([`events.events[0].user_data.user_identifiers[0] ${reason}`]);
  });

  it.each<[string, Body, string]>([
    ['without a postal code', { ...address, postalCode: '' }, 'address REQUIRED_FIELD_MISSING'],
    ['with the name of a country', { ...address, regionCode: 'Germany' }, 'address.region_code INVALID_REGION_CODE'],
  ])('with an address %s', async (_, wrong, violation) => {
    const answer = await google.ingestOne({ userData: { userIdentifiers: [{ address: wrong }] } }, { encoding: 'HEX' });
    expect(violationsOf(answer)).toEqual([`events.events[0].user_data.user_identifiers[0].${violation}`]);
  });

  it('with a transaction id of digits only, which validateOnly does not notice', async () => {
    const events = [await google.anEvent(), await google.anEvent({ transactionId: '10042' })];
    expect((await google.ingest(events, { validateOnly: true })).status).toBe(200);
    const answer = await google.ingest(events);
    expect(answer.status).toBe(400);
    expect(violationsOf(answer)).toEqual(['events[1] INVALID_EVENT']);
    expect(await stored()).toBe(0);
  });

  it.each<[string, Body, string]>([
    ['without a transaction id', { transactionId: undefined, eventSource: undefined }, '.transaction_id REQUIRED_FIELD_MISSING'],
    ['from a phone call', { eventSource: 'PHONE' }, '.event_source EVENT_SOURCE_AND_DESTINATION_MISMATCH'],
  ])('by a conversion action of the website %s', async (_, overrides, violation) => {
    const destinations = [aDestination({ productDestinationId: purchase })];
    const answer = await google.ingestOne(overrides, { destinations });
    expect(violationsOf(answer)).toEqual([`events.events[0]${violation}`]);
    expect((await google.ingestOne({ eventSource: undefined }, { destinations, validateOnly: true })).status).toBe(200);
  });

  it.each([
    ['demo@example.com', outlet, '7010000204', 'DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS'],
    ['bench@example.com', '9009000001', '7090000014', 'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED'],
  ])('with user data in an account that does not allow them (%s)', async (user, customerId, productDestinationId, reason) => {
    const { access_token: token } = await google.signIn(user, [dataManagerScope]);
    const destinations = [aDestination({ productDestinationId }, customerId, customerId)];
    const answer = await google.ingestBody({ destinations, events: [await google.anEvent(ofEmail)], encoding: 'HEX' }, token);
    expect(violationsOf(answer)).toEqual([`events.events[0].destination_references[0] ${reason}`]);
  });
});

describe('an accepted request', () => {
  it('has an id, and one that starts with v- if it is only validated', async () => {
    const { status, body } = await google.ingestOne({ transactionId: 'accepted-1' });
    expect(status).toBe(200);
    expect(body).toEqual({ requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown });
    const before = await stored();
    const validated = await google.ingestOne({ transactionId: 'accepted-2' }, { validateOnly: true });
    expect(validated.body).toEqual({ requestId: expect.stringMatching(/^v-[0-9a-f-]{36}$/) as unknown });
    expect(await stored()).toBe(before);
  });

  it('warns of a cart with a braid and of unknown custom variables', async () => {
    const wbraid = await google.clickAt(daysAgoAt(2), de, 'wbraid');
    const cart = { adIdentifiers: { wbraid }, cartData: { items: [{ quantity: '2', unitPrice: 4.5 }] } };
    const answer = await google.ingestOne(
      { ...cart, customVariables: [{ variable: 'plan', value: 'pro' }] },
      { validateOnly: true },
    );
    const warnings = answer.body.fieldWarnings as unknown as { reason: string; field: string }[];
    expect(warnings.map(({ reason, field }) => `${field} ${reason}`)).toEqual([
      'events.events[0].cart_data WARNING_REASON_CART_DATA_NOT_SUPPORTED_WITH_GBRAID_OR_WBRAID',
      'events.events[0].custom_variables[0] WARNING_REASON_CUSTOM_VARIABLE_NOT_ENABLED',
    ]);
  });

  it.each([
    ['HEX', sha256('shopper2@example.com')],
    ['BASE64', Buffer.from(sha256('shopper2@example.com'), 'hex').toString('base64')],
  ])('may contain user data in the encoding %s', async (encoding, emailAddress) => {
    const userData = { userIdentifiers: [{ emailAddress }] };
    const answer = await google.ingestOne(
      { adIdentifiers: undefined, userData, transactionId: `user-${encoding}` },
      { encoding },
    );
    expect(await google.outcomeOf(answer)).toBe('SUCCESS');
  });

  it('is also served below /v1, for clients that cannot be given a path', async () => {
    const headers = { authorization: `Bearer ${google.accessToken}` };
    const answer = await fetch(`${google.url}/v1/requestStatus:retrieve?requestId=x`, { headers });
    expect(answer.status).toBe(400);
    const { requests } = (await google.admin('requests?provider=data-manager&limit=1')).body;
    expect(String(requests?.[0]?.path)).toBe('/v1/requestStatus:retrieve');
  });
});

it('accepts the actions of several accounts in one request', async () => {
  const events = [await google.anEvent({ transactionId: 'several-1' })];
  const destinations = [
    aDestination({ productDestinationId: signedContract }),
    aDestination({ productDestinationId: '7010000124' }, us),
  ];
  expect((await google.ingest(events, { destinations })).status).toBe(200);
});
