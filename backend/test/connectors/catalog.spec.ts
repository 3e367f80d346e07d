import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  errorMeanings as bigQueryMeanings,
  statusMeanings as bigQueryStatuses,
  toDestinationError as toBigQueryError,
} from '../../src/connectors/bigquery/errors.js';
import { BigQueryFailure } from '../../src/connectors/bigquery/failure.js';
import { createConnectors, describeConnectors } from '../../src/connectors/catalog.js';
import { errorMeanings as googleAdsMeanings, statusMeanings, toConnectorError } from '../../src/connectors/google-ads/errors.js';
import { ConnectorError } from '../../src/connectors/kit/errors.js';
import { errorMeanings as metaMeanings, statusMeanings as metaStatuses } from '../../src/connectors/meta-ads/error-meanings.js';
import { toConnectorError as toMetaError } from '../../src/connectors/meta-ads/errors.js';
import {
  errorMeanings as microsoftAdsMeanings,
  statusMeanings as microsoftAdsStatusMeanings,
  toConnectorError as toMicrosoftAdsError,
} from '../../src/connectors/microsoft-ads/errors.js';
import { errorMeanings as postgresqlMeanings, toDestinationError } from '../../src/connectors/postgresql/errors.js';

const google = {
  clientId: 'client',
  clientSecret: 'secret',
  authorizeUrl: 'https://accounts.example.com/auth',
  tokenUrl: 'https://accounts.example.com/token',
  revokeUrl: 'https://accounts.example.com/revoke',
  now: () => new Date(),
};
const microsoftAds = {
  clientId: 'client',
  clientSecret: 'secret',
  developerToken: 'developer',
  authorizeUrl: 'https://login.example.com/authorize',
  tokenUrl: 'https://login.example.com/token',
  customerManagementUrl: 'https://customer.example.com',
  campaignManagementUrl: 'https://campaign.example.com',
  reportingUrl: 'https://reporting.example.com',
  now: () => new Date(),
};
const connectors = createConnectors({
  google,
  googleAds: { baseUrl: 'https://ads.example.com', apiVersion: 'v26' },
  metaAds: {
    graphUrl: 'https://graph.example.com',
    dialogUrl: 'https://www.example.com',
    apiVersion: 'v26.0',
    appId: 'app',
    appSecret: 'secret',
    now: () => new Date(),
  },
  bigQuery: { baseUrl: 'https://bigquery.example.com', tokenUrl: 'https://accounts.example.com/token', now: () => new Date() },
  mixpanel: { baseUrl: null, now: () => new Date() },
  microsoftAds,
  egress: { allowed: [] },
});
const catalog = describeConnectors(connectors);

const where = { host: 'db.example.com', port: 5432, database: 'ads', schema: 'public', user: 'loader' };

describe.each(catalog)('$name', (connector) => {
  it('says what it is and what it may do', () => {
    expect(connector.description.length).toBeGreaterThan(20);
    expect(connector.roles.length).toBeGreaterThan(0);
    for (const { authMode, scopes, schema } of connector.credentials) {
      for (const { reason } of scopes) expect(reason).toMatch(/^To .+\.$/);
      if (authMode === 'oauth2') expect(scopes.length).toBeGreaterThan(0);
      // A push key is made by the product and typed in nowhere.
      else if (authMode !== 'push_key') expect(schema).not.toBeNull();
    }
    if (connector.roles.includes('source') && connector.provider !== 'custom')
      expect(connector.streams.length).toBeGreaterThan(0);
  });

  it('has a title and a description for every field of its forms', () => {
    for (const schema of [connector.settingsSchema, ...connector.credentials.map((way) => way.schema)]) {
      const properties = (schema?.['properties'] ?? {}) as Record<string, { title?: string; description?: string }>;
      for (const property of Object.values(properties))
        expect(property).toMatchObject({ title: expect.any(String), description: expect.any(String) });
    }
  });
});

it('marks in each settings schema the fields that decide where credentials are sent, and no others', () => {
  const given: Record<string, object> = {
    postgresql: { host: 'h', database: 'd', user: 'u' },
    mixpanel: { projectId: '1', residency: 'EU' },
    bigquery: { projectId: 'my-project', datasetId: 'ads' },
  };
  for (const connector of connectors.destinations) {
    const schema = catalog.find(({ provider }) => provider === connector.provider)?.settingsSchema;
    const properties = (schema?.['properties'] ?? {}) as Record<string, { bindsCredentials?: boolean }>;
    const marked = Object.keys(properties).filter((name) => properties[name]?.bindsCredentials);
    const settings = connector.settingsSchema.parse(given[connector.provider]);
    expect(Object.keys(connector.credentialTarget(settings)).sort()).toEqual(marked.sort());
  }
});

const streams = catalog.flatMap((connector) => connector.streams.map((stream) => ({ connector: connector.name, stream })));

const reporting = readFileSync(new URL('../../../docs/reporting.md', import.meta.url), 'utf8');

describe.each(streams)('$connector $stream.name', ({ stream }) => {
  const columnNames = stream.columns.map(({ name }) => name);

  it('has a key of account, day and then ids and segments: never of what changes', () => {
    expect(stream.key.slice(0, 2)).toEqual(['account_id', 'date']);
    expect(columnNames).toEqual(expect.arrayContaining(stream.key));
    for (const column of stream.key) expect(column).not.toMatch(/name|status|title|currency/);
    for (const metric of Object.values(stream.metrics)) expect(stream.key).not.toContain(metric);
  });

  it('stands in the page for writers of reports, with its key', () => {
    const line = reporting.split('\n').find((each) => each.startsWith(`| \`${stream.table}\` `));
    expect(line).toContain(`| \`${stream.key.join(', ')}\` `);
  });

  it('describes its table and every column, once each', () => {
    expect(new Set(columnNames).size).toBe(columnNames.length);
    for (const column of stream.columns) expect(column.description).toMatch(/.{10,}\.$/);
    expect(stream.description.length).toBeGreaterThan(20);
    expect(stream.lookbackReason.length).toBeGreaterThan(20);
  });

  it('sums whole numbers, and names that fit PostgreSQL', () => {
    for (const metric of Object.values(stream.metrics))
      if (metric !== null) expect(stream.columns.find(({ name }) => name === metric)?.type).toBe('bigint');
    for (const name of [stream.table, ...columnNames]) expect(name).toMatch(/^[a-z][a-z0-9_]{0,42}$/);
  });
});

describe('errors', () => {
  const googleCodes = [
    ...Object.keys(googleAdsMeanings).map((code) => ({ code, status: 400 })),
    ...Object.keys(statusMeanings).map((status) => ({ code: null, status: Number(status) })),
  ];
  const fromGoogle = googleCodes.map(({ code, status }) =>
    toConnectorError({ code, status, retryAfterSeconds: null, requestId: 'request-1' }),
  );
  const metaFailure = { subcode: null, text: 'raw text', isTransient: false, retryAfterSeconds: null, requestId: 'request-1' };
  const fromMeta = [
    ...Object.keys(metaMeanings).map((key) => {
      const [code, subcode = null] = key.split('/').map(Number);
      return toMetaError({ ...metaFailure, code: code as number, subcode, status: 400 });
    }),
    ...Object.keys(metaStatuses).map((status) => toMetaError({ ...metaFailure, code: null, status: Number(status) })),
  ];
  const ofMicrosoft = { symbol: null, isAccountInactive: false, retryAfterSeconds: null, requestId: 'request-1' };
  const fromMicrosoft = [
    ...Object.keys(microsoftAdsMeanings).map((code) => ({
      ...ofMicrosoft,
      status: 400,
      code: Number(code),
      symbol: `code_${code}`,
    })),
    ...Object.keys(microsoftAdsStatusMeanings).map((status) => ({ ...ofMicrosoft, status: Number(status), code: null })),
    { ...ofMicrosoft, status: 401, code: 105, isAccountInactive: true },
  ].map((failure) => toMicrosoftAdsError(failure, true));
  const fromPostgresql = Object.keys(postgresqlMeanings).map((code) =>
    toDestinationError(Object.assign(new Error('raw text'), { code }), where),
  );

  const fromBigQuery = [
    ...Object.keys(bigQueryMeanings).map((reason) => ({ reason, status: 400 })),
    ...Object.keys(bigQueryStatuses).map((status) => ({ reason: '', status: Number(status) })),
  ].map(({ reason, status }) =>
    toBigQueryError(new BigQueryFailure({ reason, status, message: 'raw text' }), { projectId: 'my-project', datasetId: 'ads' }),
  ) as ConnectorError[];

  it.each([...fromGoogle, ...fromBigQuery, ...fromMeta, ...fromMicrosoft, ...fromPostgresql])(
    '$code becomes a sentence for the user with one action',
    (error) => {
      expect(error).toBeInstanceOf(ConnectorError);
      const { message, action, code } = error as ConnectorError;
      expect(message).toMatch(/^[^{}]{15,}\.$/);
      expect(action).toMatch(/^[A-Z].{8,}[^.]$/);
      expect(code).toMatch(/^(google_ads|bigquery|meta_ads|microsoft_ads|postgresql)\.[a-z0-9_]+$/);
      // What a server says is shown only as a quote, and only where the owner of a table has to act on it.
      const isQuoted = (error as ConnectorError).failureClass === 'schema';
      expect(isQuoted ? message.replace('"raw text"', '') : message).not.toContain('raw text');
    },
  );

  it('are tried again when nobody knows them', () => {
    const unknown = { code: 'newError.NOT_IN_ANY_LIST', status: 400, retryAfterSeconds: null, requestId: null };
    expect(toConnectorError(unknown)).toMatchObject({ name: 'RetryLater', failureClass: 'transient' });
    expect(toDestinationError(Object.assign(new Error(), { code: 'XX999' }), where)).toMatchObject({ name: 'RetryLater' });
    expect(toMetaError({ ...metaFailure, code: 999_999, status: 400 })).toMatchObject({ name: 'RetryLater' });
  });

  it.each([
    [{ code: 80_003 }, 'RetryLater', 'quota'],
    [{ code: 613, subcode: 5 }, 'RetryLater', 'quota'],
    [{ code: 278 }, 'SkipAccount', 'permission'],
    [{ code: -7 }, 'RetryLater', 'transient'],
    [{ code: 2, subcode: 77 }, 'RetryLater', 'transient'],
    [{ code: 190, subcode: 77 }, 'ReconnectNeeded', 'auth'],
    [{ code: 100, isTransient: true }, 'RetryLater', 'transient'],
    [{ code: 999_999, status: 403 }, 'SkipAccount', 'permission'],
  ])('of Meta are known by range: %j', (failure, name, failureClass) => {
    expect(toMetaError({ ...metaFailure, status: 400, ...failure })).toMatchObject({ name, failureClass });
  });

  it('never blame the user for a query of ours', () => {
    const refused = { code: 'queryError.UNRECOGNIZED_FIELD', status: 400, retryAfterSeconds: null, requestId: null };
    expect(toConnectorError(refused)).toMatchObject({ name: 'FixSettings', action: expect.stringContaining('operator') });
    expect(toMetaError({ ...metaFailure, code: 100, subcode: 12, status: 400 })).toMatchObject({
      name: 'FixSettings',
      action: expect.stringContaining('operator'),
    });
  });
});
