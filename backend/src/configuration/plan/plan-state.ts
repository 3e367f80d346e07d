import type { Actor } from '../../access/index.js';
import type { Connectors } from '../../catalog/index.js';
import type { WebhookEndpointsService } from '../../alerts/index.js';
import type { ImportConnections, PaymentConnections } from '../../connections/index.js';
import type { Stream, ProviderName } from '../../connectors/kit/contract.js';
import type { ImportConversions } from '../../conversions/index.js';
import { Problem } from '../../core/http/problem.js';
import type { TenantQuery, TenantTransaction } from '../../core/database/tenant-database.js';
import type { ConfigurationFile } from '../file/configuration-file.dto.js';
import type { Snapshot } from '../file/read-configuration.js';
import type { DestinationsService } from '../../destinations/index.js';
import type { SourcesService } from '../../sources/index.js';
import type { Kind, PlanAction, PlanItem } from './plan.dto.js';

export interface WriteContext {
  actor: Actor;
  transaction: TenantTransaction;
  query: TenantQuery;
}

/** An entry of the file with what it writes; null: nothing. */
export interface Step {
  item: PlanItem;
  /** Of the written item, for the audit trail. */
  id: string | null;
  write: ((context: WriteContext) => Promise<void>) | null;
}

/** Apps, sources and destinations to which other entries of the file refer. */
export interface ResolvedApp {
  id: string;
  name: string;
  provider: ProviderName;
  identity: string;
  authMode: string;
  isConnected: boolean;
  /** Null if the app is not connected: they are unknown. */
  accountIds: ReadonlySet<string> | null;
  /** Null: no credentials are stored. */
  credentialTarget: unknown;
}
export interface ResolvedSource {
  id: string;
  identity: string;
  app: ResolvedApp;
  streams: Stream[];
  accountIds: string[];
}
export interface ResolvedDestination {
  id: string;
  identity: string;
  app: ResolvedApp;
  /** Whether its credentials have to be entered again. */
  isLocked: boolean;
}

/** What other modules do for an import. */
export interface PlanServices {
  connections: ImportConnections;
  conversions: ImportConversions;
  paymentConnections: PaymentConnections;
  sources: SourcesService;
  destinations: DestinationsService;
  webhooks: WebhookEndpointsService;
}

export interface PlanState {
  file: ConfigurationFile;
  current: Snapshot;
  connectors: Connectors;
  services: PlanServices;
  /** Addresses that a webhook cannot have, with the reason. */
  wrongUrls: Map<string, string>;
  limits: { customApps: number; connections: number | null };
  steps: Step[];
  /** By key of the file. */
  apps: Map<string, ResolvedApp>;
  sources: Map<string, ResolvedSource>;
  destinations: Map<string, ResolvedDestination>;
  webhooks: Map<string, { id: string; identity: string }>;
}

type Outcome = { action: PlanAction } & Partial<Pick<PlanItem, 'needs' | 'changes' | 'reason'>>;

export function addStep(
  state: PlanState,
  entry: { kind: Kind; place: string; name: string; id?: string },
  { action, needs = null, changes = [], reason = null }: Outcome,
  write: Step['write'] = null,
): void {
  const { kind, place, name, id = null } = entry;
  state.steps.push({ item: { kind, place, name, action, needs, changes, reason }, id, write });
}

/** Skips an entry. An existing item stays as it is. */
export const skip = (
  state: PlanState,
  entry: { kind: Kind; place: string; name: string },
  reason: string,
  exists: boolean,
): void => addStep(state, entry, { action: exists ? 'conflict' : 'not_importable', reason });

/** The reason why the validation of another module rejects an entry; null: it accepts it. */
export function rejectionOf(validate: () => unknown): string | null {
  try {
    validate();
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.problem.detail;
    throw error;
  }
}
