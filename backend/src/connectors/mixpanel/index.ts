import type { DestinationCredentials } from '../kit/connector.js';
import type { ConnectorContext, Destination, Stream, Targets } from '../kit/contract.js';
import { defineConversionSource, defineDestination, type DestinationParts, type Installation } from '../kit/declaration.js';
import { type EnvironmentValues, httpUrl } from '../kit/environment.js';
import { RetryLater } from '../kit/errors.js';
import { MixpanelApi } from './api.js';
import { checkDestination, sendTestEvent, type CheckParts } from './check.js';
import type { Loader } from './loader.js';
import { previewSlice } from './preview.js';
import { ReadBack } from './read-back.js';
import { credentialsSchema, settingsSchema, type Credentials, type MixpanelSettings, type ProjectSettings } from './settings.js';
import { verifyRegion } from './region.js';
import { shapeOf } from './shape.js';
import { mixpanelConversionSource } from './source/index.js';
import { readTotals } from './totals.js';
import { writeSlice } from './write.js';

const VISIBILITY_WAITS_MS = [2_000, 5_000, 15_000];
const CHECK_MS = 60_000;
/**
 * Maximum rows of a slice. The whole slice is in memory, because nothing is sent before its last page is verified. About 50 MB
 * with its ledger.
 */
const MAXIMUM_SLICE_ROWS = 25_000;

const environment = {
  /** Base URL of a Mixpanel simulation with one path for each region. Default: the Mixpanel API. */
  MIXPANEL_BASE_URL: httpUrl.optional(),
};
type Pace = Pick<MixpanelSettings, 'retryDelayMs' | 'visibilityWaitsMs' | 'checkMs'>;

const operatorSettings = (
  { MIXPANEL_BASE_URL }: EnvironmentValues<typeof environment>,
  { now, pace }: Installation<Pace>,
): MixpanelSettings => ({ ...pace, baseUrl: MIXPANEL_BASE_URL ?? null, now });

export const mixpanel = defineDestination({
  provider: 'mixpanel',
  displayName: 'Mixpanel',
  category: 'product_analytics',
  description:
    'Ad spend as events next to your product events. Corrections are sent as deltas, so totals stay exact. Event counts, averages, distributions and filters such as cost > 0 include the deltas.',
  settingsSchema,
  isAppendOnly: true,
  signIn: null,
  environment,
  create: (values, installation: Installation<Pace>) => mixpanelConnector(operatorSettings(values, installation)),
});

export const mixpanelConversions = defineConversionSource({
  provider: 'mixpanel',
  environment,
  create: (values, installation: Installation<Pace>) => mixpanelConversionSource(operatorSettings(values, installation)),
});

export function mixpanelConnector(settings: MixpanelSettings): DestinationParts {
  return {
    apiVersion: null,
    isAudited: false,
    checkTimeoutMs: settings.checkMs ?? CHECK_MS,
    resyncRefusal: 'Mixpanel cannot replace events that it has, so a re-sync would count them twice.',
    credentialKinds: [{ authMode: 'service_account', schema: credentialsSchema, scopes: [] }],
    oauth: null,
    // The region decides the host. A service account can belong to several projects.
    credentialTarget: (given) => ({ residency: settingsSchema.parse(given).residency }),
    describe: (given, credentials) => {
      const { projectId, residency, eventName } = settingsSchema.parse(given);
      const parsed = credentialsSchema.safeParse(credentials);
      const username = parsed.success ? parsed.data.username : null;
      return {
        appName: `Mixpanel project ${projectId}`,
        credentialHint: username,
        target: `${projectId} (${residency}): ${eventName}`,
      };
    },
    tableName: (given) => settingsSchema.parse(given).eventName,
    open: (given, access) => mixpanelDestination(settings, settingsSchema.parse(given), credentialsOf(access)),
    sendTest: (given, access, context) =>
      sendTestEvent(partsOf(settings, settingsSchema.parse(given), credentialsOf(access)), context),
  };
}

export function mixpanelDestination(settings: MixpanelSettings, project: ProjectSettings, credentials: Credentials): Destination {
  const parts = partsOf(settings, project, credentials);
  const { api, waitsMs } = parts;
  const loader: Loader = {
    project,
    api,
    readBack: new ReadBack(api, settings),
    now: settings.now,
    waitsMs,
    maximumSliceRows: settings.maximumSliceRows ?? MAXIMUM_SLICE_ROWS,
    expectations: new Map(),
    suspects: new Set(),
  };
  return {
    provider: 'mixpanel',
    check: (context, mode) => checkDestination(parts, context, mode),
    tableName: () => project.eventName,
    prepare: async (context, streams) => {
      await proveResidency(api, context, settings.now());
      return targetsOf(project, streams);
    },
    locate: (_context, streams) => Promise.resolve(targetsOf(project, streams)),
    write: (context, slice, pages) => writeSlice(loader, context, slice, pages),
    preview: (context, slice, pages) => previewSlice(loader, context, slice, pages),
    totals: (context, slice) => readTotals(loader, context, slice),
    close: () => Promise.resolve(),
  };
}

/**
 * Called before anything is sent, because another region would accept the events and lose them. If the hourly query limit is
 * exhausted, the read-back detects a wrong region.
 */
async function proveResidency(api: MixpanelApi, context: ConnectorContext, now: Date): Promise<void> {
  await verifyRegion(api, context, now).catch((error: unknown) => {
    if (!(error instanceof RetryLater) || error.failureClass !== 'quota') throw error;
  });
}

/** Excludes the restatement mode: the events are the same in both modes. */
const placeOf = ({ residency, projectId, eventName }: ProjectSettings): string => `${residency}/${projectId}/${eventName}`;

/**
 * A property cannot be removed from events. Only amounts count as columns: a re-included amount is sent for all days as a
 * difference, while texts remain as they were sent.
 */
function targetsOf(project: ProjectSettings, streams: Stream[]): Targets {
  return new Map(
    streams.map((stream) => {
      const amounts = shapeOf(stream).amounts.map(({ column }) => [stream.columns[column]?.name ?? '', 'sent'] as const);
      return [stream.name, { place: placeOf(project), table: project.eventName, columns: Object.fromEntries(amounts) }];
    }),
  );
}

function partsOf(settings: MixpanelSettings, project: ProjectSettings, credentials: Credentials): CheckParts {
  const waitsMs = settings.visibilityWaitsMs ?? VISIBILITY_WAITS_MS;
  return { api: new MixpanelApi(settings, project, credentials), project, credentials, now: settings.now, waitsMs };
}

function credentialsOf(access: DestinationCredentials): Credentials {
  if (access.authMode === 'oauth2') throw new Error('Mixpanel is opened with a service account');
  return credentialsSchema.parse(access.credentials);
}
