import { defineConversionSource, defineDestination, type DestinationParts, type Installation } from '../kit/declaration.js';
import { type EnvironmentValues, httpUrl } from '../kit/environment.js';
import type { AccessTokenProvider, ConnectorContext, Destination, Fence, TableReplacement } from '../kit/contract.js';
import { googleOauth, type GoogleOAuthSettings } from '../kit/oauth/google-oauth.js';
import type { Scope } from '../kit/oauth/oauth.js';
import { googleClient, findGoogleOauth } from '../kit/platforms/google.js';
import { BigQueryApi } from './api.js';
import { checkDestination } from './check.js';
import { toDestinationError } from './errors.js';
import { claimRun } from './fence.js';
import { Jobs } from './jobs.js';
import { tableNameOf } from './names.js';
import { previewSlice } from './preview.js';
import { tableReplacement } from './replacement/swap.js';
import { ServiceAccount } from './service-account.js';
import {
  credentialsSchema,
  defaultPace,
  readKeyFile,
  settingsSchema,
  type BigQuerySettings,
  type DestinationSettings,
  type Pace,
} from './settings.js';
import { bigqueryConversionSource } from './source/index.js';
import { locateTables, prepareTables } from './tables.js';
import { readTable, readTotals } from './totals.js';
import { writeSlice } from './write.js';
import { API_VERSION } from './version.js';

const scopes: Scope[] = [
  {
    scope: 'https://www.googleapis.com/auth/bigquery',
    reason: 'To create tables in your dataset, and to load and verify rows.',
    isRequired: true,
  },
];

const environment = {
  BIGQUERY_BASE_URL: httpUrl.default('https://bigquery.googleapis.com'),
  /** Token endpoint for service accounts. A key file that names another endpoint is rejected. */
  BIGQUERY_TOKEN_URL: httpUrl.default('https://oauth2.googleapis.com/token'),
};

const operatorSettings = (
  { BIGQUERY_BASE_URL: baseUrl, BIGQUERY_TOKEN_URL: tokenUrl }: EnvironmentValues<typeof environment>,
  { now, pace }: Installation<Pace>,
): BigQuerySettings => ({ baseUrl, tokenUrl, now, pace });

export const bigquery = defineDestination({
  provider: 'bigquery',
  displayName: 'BigQuery',
  category: 'warehouse',
  description: 'Daily tables in your dataset, with a description for every column. Each day is replaced as a whole.',
  settingsSchema,
  signIn: {
    kind: 'oauth2',
    platform: 'google',
    landing: { connect: () => '/bigquery', reconnect: '/googleReauth' },
  },
  environment: { ...googleClient, ...environment },
  create: (values, installation: Installation<Pace>) =>
    bigqueryConnector(operatorSettings(values, installation), findGoogleOauth(values, installation.now)),
});

export const bigqueryConversions = defineConversionSource({
  provider: 'bigquery',
  environment,
  create: (values, installation: Installation<Pace>) => bigqueryConversionSource(operatorSettings(values, installation)),
});

/** `google`: null if this installation has no OAuth client at Google. Service accounts need none. */
export function bigqueryConnector(settings: BigQuerySettings, google: GoogleOAuthSettings | null): DestinationParts {
  const oauth = google && googleOauth(google, scopes);
  return {
    apiVersion: API_VERSION,
    isAudited: true,
    checkTimeoutMs: settings.pace?.checkMs ?? defaultPace.checkMs,
    resyncRefusal: null,
    credentialKinds: [
      { authMode: 'service_account', schema: credentialsSchema, scopes: [] },
      ...(oauth ? [{ authMode: 'oauth2' as const, schema: null, scopes: oauth.scopes }] : []),
    ],
    oauth,
    // The key is sent only to the operator's token URL. The settings cannot change it.
    credentialTarget: () => ({}),
    describe: (given, credentials) => {
      const { projectId, datasetId } = settingsSchema.parse(given);
      const key = credentials && readKeyFile(credentialsSchema.parse(credentials).serviceAccountKey);
      return {
        appName: key?.clientEmail ?? projectId,
        credentialHint: key?.clientEmail ?? null,
        target: `${projectId}.${datasetId}`,
      };
    },
    tableName: (given, stream) => tableNameOf(settingsSchema.parse(given), stream),
    open: (given, access) => {
      const destination = settingsSchema.parse(given);
      if (access.authMode === 'oauth2') return bigqueryDestination(settings, destination, access.accessToken);
      const { serviceAccountKey } = credentialsSchema.parse(access.credentials);
      return bigqueryDestination(settings, destination, new ServiceAccount(settings, destination, serviceAccountKey));
    },
  };
}

export function bigqueryDestination(
  settings: BigQuerySettings,
  destination: DestinationSettings,
  tokens: AccessTokenProvider,
): Destination {
  const api = new BigQueryApi(settings, destination, tokens);
  const jobs = new Jobs(api);
  const claims = new Claims(jobs);
  return {
    provider: 'bigquery',
    check: (context, mode) => checkDestination(jobs, tokens, context, mode),
    tableName: (stream) => tableNameOf(destination, stream),
    prepare: (context, streams) => translated(destination, () => prepareTables(api, context, streams)),
    locate: (context, streams) => translated(destination, () => locateTables(api, context, streams)),
    write: (context, slice, pages, fence) =>
      translated(destination, async () => {
        await claims.claim(context, fence);
        return writeSlice(jobs, context, slice, pages, fence);
      }),
    preview: (context, slice, pages, fence) => translated(destination, () => previewSlice(jobs, context, slice, pages, fence)),
    totals: (context, slice) => translated(destination, () => readTotals(jobs, context, slice)),
    readTable: (context, stream, range) => translated(destination, () => readTable(jobs, context, stream, range)),
    replacement: translatedReplacement(destination, jobs, claims),
    close: () => Promise.resolve(),
  };
}

function translatedReplacement(destination: DestinationSettings, jobs: Jobs, claims: Claims): TableReplacement {
  const plain = tableReplacement(jobs, (context, fence) => claims.claim(context, fence));
  return {
    inspect: (context, stream) => translated(destination, () => plain.inspect(context, stream)),
    isSwapped: (context, pair, loaded) => translated(destination, () => plain.isSwapped(context, pair, loaded)),
    swap: (context, replacement, fence) => translated(destination, () => plain.swap(context, replacement, fence)),
    drop: (context, beside) => translated(destination, () => plain.drop(context, beside)),
  };
}

/** Claims each run once. The transactions detect it if the run is lost later. */
class Claims {
  private readonly jobs: Jobs;
  private readonly made = new Map<string, Promise<void>>();

  constructor(jobs: Jobs) {
    this.jobs = jobs;
  }

  claim(context: ConnectorContext, fence: Fence): Promise<void> {
    const name = `${fence.runId} ${fence.leaseEpoch}`;
    const claim = this.made.get(name) ?? claimRun(this.jobs, context, fence);
    this.made.set(name, claim);
    void claim.catch(() => this.made.delete(name));
    return claim;
  }
}

async function translated<Result>(destination: DestinationSettings, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toDestinationError(error, destination);
  }
}
