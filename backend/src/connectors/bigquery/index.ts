import type { DestinationConnector } from '../kit/connector.js';
import type { AccessTokenProvider, ConnectorContext, Destination, Fence } from '../kit/contract.js';
import { googleOauth, type GoogleOAuthSettings } from '../kit/oauth/google-oauth.js';
import type { Scope } from '../kit/oauth/oauth.js';
import { BigQueryApi } from './api.js';
import { checkDestination } from './check.js';
import { toDestinationError } from './errors.js';
import { claimRun } from './fence.js';
import { Jobs } from './jobs.js';
import { tableNameOf } from './names.js';
import { ServiceAccount } from './service-account.js';
import { credentialsSchema, readKeyFile, settingsSchema, type BigQuerySettings, type DestinationSettings } from './settings.js';
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

/** `google`: null if this installation has no OAuth client at Google. Service accounts need none. */
export function bigqueryConnector(settings: BigQuerySettings, google: GoogleOAuthSettings | null): DestinationConnector {
  const oauth = google && googleOauth(google, scopes);
  return {
    provider: 'bigquery',
    name: 'BigQuery',
    category: 'warehouse',
    apiVersion: API_VERSION,
    description: 'Daily tables in your dataset, with a description for every column. Each day is replaced as a whole.',
    settingsSchema,
    isAudited: true,
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
    check: (context) => checkDestination(jobs, tokens, context),
    tableName: (stream) => tableNameOf(destination, stream),
    prepare: (context, streams) => translated(destination, () => prepareTables(api, context, streams)),
    locate: (context, streams) => translated(destination, () => locateTables(api, context, streams)),
    write: (context, slice, pages, fence) =>
      translated(destination, async () => {
        await claims.claim(context, fence);
        return writeSlice(jobs, context, slice, pages, fence);
      }),
    totals: (context, slice) => translated(destination, () => readTotals(jobs, context, slice)),
    readTable: (context, stream, range) => translated(destination, () => readTable(jobs, context, stream, range)),
    close: () => Promise.resolve(),
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
