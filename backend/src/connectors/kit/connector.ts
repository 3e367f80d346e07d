import type { z } from 'zod';
import type {
  AccessTokenProvider,
  AdAccount,
  Category,
  CheckItem,
  ConnectorContext,
  Day,
  Destination,
  Row,
  Source,
  ProviderName,
  Stream,
} from './contract.js';
import type { OAuthFlow, Scope } from './oauth/oauth.js';
import type { RecurringRevenue } from './recurring-revenue.js';

export type JsonSchema = Record<string, unknown>;
export type AuthMode = 'oauth2' | 'service_account' | 'password' | 'push_key' | 'api_key';

/** User settings for reading. The connector's `settingsSchema` defines which settings a platform has. */
export type SourceSettings = Record<string, unknown>;

/** A credential type, as the catalog shows it and the apps module stores it. */
export interface CredentialKind {
  authMode: AuthMode;
  /** Fields of the form; null for OAuth, which has no form. Strict: unknown fields are rejected. */
  schema: z.ZodType<Record<string, unknown>> | null;
  scopes: Scope[];
}

/** How to open a destination: with entered secrets, or with tokens that the apps module refreshes. */
export type DestinationCredentials =
  | { authMode: 'password' | 'service_account' | 'api_key'; credentials: Record<string, unknown> }
  | { authMode: 'oauth2'; accessToken: AccessTokenProvider };

export type CredentialTarget = Record<string, string | number>;

export interface DestinationWords {
  /** Name of the app: `loader at db.example.com`. */
  appName: string;
  /** The user or service account that writes. Null when it is not known before sign-in. */
  credentialHint: string | null;
  /** Short name of the target: `warehouse.public`, `my-project.ads`. */
  target: string;
}

/** The platform's API version that all its calls use. */
export interface ApiVersion {
  name: string;
  /** First day on which the platform may reject this version, if published or predictable; null: no end is known. */
  endsOn: Day | null;
  /** False: the operator set a version that this release does not know, so that nobody watches its end. Absent: true. */
  isListed?: boolean;
}

interface ConnectorDescription {
  name: string;
  description: string;
  category: Category;
  /** Null when the API has no versions. */
  apiVersion: ApiVersion | null;
}

/** What the product knows of a source without opening it. */
export interface SourceDescription {
  provider: ProviderName;
  name: string;
  streams: Stream[];
  /** How far back the platform returns data, in calendar months; null: no limit. */
  historyMonths: number | null;
  /** Fields of the source form in addition to accounts, level and breakdowns; null: none. */
  settingsSchema: z.ZodType<SourceSettings> | null;
}

/** Public interface of the source connector of a platform. */
export interface SourceConnector extends ConnectorDescription, SourceDescription {
  oauth: OAuthFlow;
  open(accessToken: AccessTokenProvider, settings: SourceSettings): Source;
}

/** Returns the decrypted key. Called before every request, so that a key that was replaced meanwhile is used. */
export interface ApiKeyProvider {
  apiKey(): Promise<string>;
}

/** An event of the platform, as far as it says which days it may change. */
export interface PlatformEvent {
  id: string;
  type: string;
  /** Unix seconds. */
  created: number;
  data: {
    object: { created?: number | undefined } & Record<string, unknown>;
    /** Values before the change; only of changes. */
    previous_attributes?: Record<string, unknown> | null | undefined;
  };
}

/** Public interface of a source that is opened with a key that a user enters. */
export interface KeySourceConnector extends ConnectorDescription, SourceDescription {
  credentialsSchema: z.ZodType<{ apiKey: string }>;
  /** The permissions that the key needs. */
  rights: Scope[];
  /** The part of the key that may be displayed. */
  hintOf(credentials: { apiKey: string }): string;
  /** What a shown part says of its key: test data or real data. */
  modeOf(hint: string): 'test' | 'live';
  /** Checks every permission and returns the accounts. Throws `FixSettings` with all missing permissions. */
  check(key: ApiKeyProvider, context: ConnectorContext): Promise<AdAccount[]>;
  open(key: ApiKeyProvider, settings: SourceSettings): Source;
  /** The accounts to store after a list, which may lack some of the known ones. */
  mergeAccounts(known: AdAccount[], listed: AdAccount[]): AdAccount[];
}

/** A key source of the category `payments`. Its settings and its source belong to a payment. */
export interface PaymentSourceConnector extends KeySourceConnector {
  /** The platform's own list of events, of which it may also have sent webhooks. */
  listEvents(
    key: ApiKeyProvider,
    context: ConnectorContext,
    range: { from: Date; to: Date; types: string[] },
  ): AsyncIterable<PlatformEvent[]>;
  /** The newest rows of an account, without reading whole days. */
  sample(
    key: ApiKeyProvider,
    context: ConnectorContext,
    settings: SourceSettings,
    range: { account: AdAccount; limit: number },
  ): Promise<Row[]>;
  /** What the subscriptions of this moment bring in a month. */
  readRecurringRevenue(key: ApiKeyProvider, context: ConnectorContext): Promise<RecurringRevenue>;
}

/** Public interface of a destination connector. */
export interface DestinationConnector extends ConnectorDescription {
  provider: ProviderName;
  /** Fields of the form. None of them is secret. */
  settingsSchema: z.ZodType<Record<string, unknown>>;
  credentialKinds: CredentialKind[];
  /** Set if OAuth is one of the credential kinds. */
  oauth: OAuthFlow | null;
  /**
   * Where these settings send entered secrets. Stored secrets are used only if the target is equal. The names are those of the
   * settings marked `bindsCredentials` in the schema, so forms know when to request the secrets again.
   */
  credentialTarget(settings: Record<string, unknown>): CredentialTarget;
  /** Replaces settings such as `automatic` with what the server supports. Sends no secret. */
  settle?(settings: Record<string, unknown>, signal: AbortSignal): Promise<Record<string, unknown>>;
  /** Parts of settings and credentials that may be displayed. */
  describe(settings: Record<string, unknown>, credentials: Record<string, unknown> | null): DestinationWords;
  /** Display name of the table or event for a stream. */
  tableName(settings: Record<string, unknown>, stream: Stream): string;
  /** Whether its destinations implement `readTable`, so an audit can compare them with the loaded data. */
  isAudited: boolean;
  /** Why a stream cannot be loaded into a new table that takes the place of the old one: a sentence. Null: it can. */
  resyncRefusal: string | null;
  open(settings: Record<string, unknown>, access: DestinationCredentials): Destination;
  /** Limit of a check or a test event that a user waits for. Omitted: 20 s. */
  checkTimeoutMs?: number;
  /** Sends one visible test event, for destinations that support it. */
  sendTest?(settings: Record<string, unknown>, access: DestinationCredentials, context: ConnectorContext): Promise<CheckItem>;
}
