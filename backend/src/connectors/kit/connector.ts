import type { z } from 'zod';
import type {
  AccessTokenProvider,
  CheckItem,
  ConnectorContext,
  Day,
  Destination,
  DestinationProvider,
  Source,
  SourceProvider,
  Stream,
} from './contract.js';
import type { OauthDoor, Scope } from './oauth.js';

export type JsonSchema = Record<string, unknown>;
export type AuthMode = 'oauth2' | 'service_account' | 'password' | 'push_key';

/** What the user may set about reading; each platform says with `sourceSettingsSchema` what of it there is. */
export type SourceSettings = Record<string, unknown>;

/** A way to prove who writes, as the catalog shows it and the apps room stores it. */
export interface CredentialKind {
  authMode: AuthMode;
  /** What the form asks for; null for OAuth, where nothing is typed in. Strict: unknown fields are refused. */
  schema: z.ZodType<Record<string, unknown>> | null;
  scopes: Scope[];
}

/** What a destination is opened with: typed-in secrets, or tokens that the apps room keeps alive. */
export type DestinationAccess =
  | { authMode: 'password' | 'service_account'; credentials: Record<string, unknown> }
  | { authMode: 'oauth2'; accessToken: AccessTokenProvider };

export type CredentialTarget = Record<string, string | number>;

export interface DestinationWords {
  /** What the app is called: `loader at db.example.com`. */
  appName: string;
  /** Who writes: a user, a service account. Null when that is not known before signing in. */
  credentialHint: string | null;
  /** Where rows go, in short: `warehouse.public`, `my-project.ads`. */
  target: string;
}

/** The version of a platform's interface that is spoken here: one for the whole platform. */
export interface ApiVersion {
  name: string;
  /** From when on the platform may refuse it, as far as that is published or can be told; null: no end is known. */
  endsOn: Day | null;
}

interface ConnectorDescription {
  name: string;
  description: string;
  category: 'advertising' | 'warehouse' | 'product_analytics';
  /** Null where the interface has no versions. */
  apiVersion: ApiVersion | null;
}

/** The door of a source's folder. */
export interface SourceConnector extends ConnectorDescription {
  provider: SourceProvider;
  streams: Stream[];
  /** How far back the platform answers, in calendar months; null: as far as there is data. */
  historyMonths: number | null;
  /** What the form of the source asks for beside accounts, level and breakdowns; null: nothing. */
  settingsSchema: z.ZodType<SourceSettings> | null;
  oauth: OauthDoor;
  open(accessToken: AccessTokenProvider, settings: SourceSettings): Source;
}

/** The door of a destination's folder. */
export interface DestinationConnector extends ConnectorDescription {
  provider: DestinationProvider;
  /** What the form asks for; nothing in it is secret. */
  settingsSchema: z.ZodType<Record<string, unknown>>;
  credentialKinds: CredentialKind[];
  /** For OAuth among the credential kinds. */
  oauth: OauthDoor | null;
  /**
   * Where typed-in secrets are sent with these settings: stored ones are used for an equal target alone. Its names are those of
   * the settings that say `bindsCredentials` in the schema, so that forms know when to ask again.
   */
  credentialTarget(settings: Record<string, unknown>): CredentialTarget;
  /** Replaces settings such as `automatic` with what the server supports. Sends no secret. */
  settle?(settings: Record<string, unknown>, signal: AbortSignal): Promise<Record<string, unknown>>;
  /** What can be shown of settings and credentials. */
  describe(settings: Record<string, unknown>, credentials: Record<string, unknown> | null): DestinationWords;
  /** The table or event that a stream becomes, as its reader would name it. */
  tableName(settings: Record<string, unknown>, stream: Stream): string;
  /** Whether its destinations have `readTable`, so that an audit can compare them with what was loaded. */
  isAudited: boolean;
  open(settings: Record<string, unknown>, access: DestinationAccess): Destination;
  /** Sends one visible test event, where that makes sense. */
  sendTest?(settings: Record<string, unknown>, access: DestinationAccess, context: ConnectorContext): Promise<CheckItem>;
}
