import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import type { AuthMode } from '../connectors/kit/connector.js';
import { IsProviderOf, ProviderOf } from '../catalog/index.js';
import { type Level, levels, type ProviderName } from '../connectors/kit/contract.js';
import { allProviders, createdProviders } from '../connectors/registry.js';
import { PageQuery } from '../core/http/page.dto.js';
import { AdAccountEntry, Failure } from '../core/http/failure.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../core/http/limits.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

export class AppUse {
  sources: number;
  destinations: number;
  connections: number;
}

export class AppQuota {
  /** 0 to 100. */
  usedPercent: number;
  /** When it will be lower; null if the provider does not report it. */
  resetAt: string | null;
  /** When the provider reported it. */
  at: string;
}

/** The provider throttles the app: its runs wait and continue automatically. */
export class AppQuotaPause {
  /** When the runs continue. */
  until: string;
  /** What the provider reported. */
  reason: string;
  /** Runs that wait for it. */
  waitingRuns: number;
}

/** The organization's daily budget of manual requests to the provider, over all its apps of this provider. */
export class AppRequestBudget {
  /** Requests made today. */
  used: number;
  /** Requests a day. */
  limit: number;
  /** Midnight UTC. */
  resetAt: string;
}

/** An open link by which a person without an account can reconnect the app. */
export class AppShareLink {
  createdAt: string;
  expiresAt: string;
}

/** The last sign-in, or the last entry of credentials. */
export class AppAuthorisation {
  at: string;
  /** `link`: by a reconnect link, without an account. */
  way: 'member' | 'link';
  /** E-mail of the member; null for a person with a link and for a deleted account. */
  email: string | null;
}

/** Defaults of new sources of the app. */
export class SourceDefaults {
  /** Streams down to this level are offered. */
  level: Level;
  /** Streams split by these breakdowns are offered. */
  breakdowns: string[];
  /** Days before today that each run reads again; null uses the platform's own windows. */
  lookbackDays: number | null;
}

/** One authenticated account at a provider. Its credentials are never returned. */
export class AppEntry {
  id: string;
  @ProviderOf(allProviders)
  provider: ProviderName;
  displayName: string;
  roles: ('source' | 'destination')[];
  authMode: AuthMode;
  state: 'draft' | 'authorizing' | 'connected' | 'expiring' | 'needs_reauth' | 'revoked' | 'disabled';
  /** A part of the credentials that may be shown, such as a user name. */
  credentialHint: string | null;
  grantedScopes: string[];
  /** Requested scopes that were not granted. */
  missingScopes: string[];
  /** E-mail of the provider's user who authorized the app. */
  externalUser: string | null;
  /** Null if the app was never authorized. */
  authorised: AppAuthorisation | null;
  /** Ad accounts it has access to, as listed last. */
  accounts: AdAccountEntry[];
  accountsListedAt: string | null;
  /** Defaults of its new sources; null uses the general defaults, which include everything. */
  sourceDefaults: SourceDefaults | null;
  usedBy: AppUse;
  lastProbeAt: string | null;
  /** The current problem and its action; null if there is none. */
  failure: Failure | null;
  /** Since when it needs reauthentication; null if it does not. */
  needsReauthSince: string | null;
  shareLink: AppShareLink | null;
  /** When the current access token expires. It is renewed automatically. */
  accessExpiresAt: string | null;
  /** When a user must sign in again, if the provider reports it. */
  signInAgainAt: string | null;
  lastRefreshAt: string | null;
  /** Used part of the provider's limit, as reported last. */
  quota: AppQuota | null;
  /** Null if the provider does not throttle the app. */
  quotaPause: AppQuotaPause | null;
  /** Null if the provider is not an ad platform. */
  requestBudget: AppRequestBudget | null;
  createdAt: string;
  updatedAt: string;
  version: number;
}

export class AppPage {
  items: AppEntry[];
  nextCursor: string | null;
}

export class AppsQuery extends PageQuery {
  /** Only apps of this provider. */
  @MayBeMissing()
  @IsProviderOf(allProviders)
  provider?: ProviderName;
}

export class CreateAppBody {
  /** A provider with OAuth sign-in, `stripe`, or `custom`. Apps of other providers are created with their destination. */
  @IsProviderOf(createdProviders)
  provider: ProviderName;

  /** 1 to 120 characters; the provider's name if omitted. */
  @MayBeMissing()
  @trimmed
  @IsString()
  @Length(1, 120)
  displayName?: string;

  /** For `stripe`: `{apiKey}`, a restricted key. It is checked before it is saved, and never returned. */
  @MayBeMissing()
  @IsObject()
  credentials?: Record<string, unknown>;
}

export class EnterAppKeyBody {
  /** `{apiKey}`: a restricted key of the same Stripe account. It is checked before it is saved, and never returned. */
  @IsObject()
  credentials: Record<string, unknown>;
}

export class UpdateAppBody {
  /** 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  displayName: string;

  /** The version that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class UpdateSourceDefaultsBody {
  /** Streams down to this level are offered. */
  @IsIn(levels)
  level: Level;

  /** Streams split by these breakdowns are offered. */
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  breakdowns: string[];

  /** Days each run reads again, 0 to 90; null uses the platform's own windows. */
  @ValidateIf((_, value) => value !== null)
  @IsInt()
  @Min(0)
  @Max(90)
  lookbackDays: number | null;

  /** The version of the app that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

/** Only a path of this site: any other value would redirect users to another site after sign-in. */
const RELATIVE_PATH = /^\/(?![/\\])[^\\\s]*$/;

export class StartOauthBody {
  /** Relative path to return to afterwards. */
  @MayBeMissing()
  @IsString()
  @MaxLength(500)
  @Matches(RELATIVE_PATH, { message: 'returnTo must be a path of this site' })
  returnTo?: string;
}

export class OauthStart {
  /** Address to open in the browser. */
  authorizeUrl: string;
  /** The link is rejected after this time. */
  expiresAt: string;
}

export class CompleteOauthBody {
  /** The state that the provider returned. */
  @IsString()
  @Length(1, 2000)
  state: string;

  /** The authorization code; missing if the provider denied access. */
  @MayBeMissing()
  @IsString()
  @MaxLength(2000)
  code?: string;

  /** The provider's error, such as `access_denied`. */
  @MayBeMissing()
  @IsString()
  @MaxLength(500)
  error?: string;
}

export class AcceptOtherUserBody {
  /** The state of the rejected sign-in. */
  @IsString()
  @Length(1, 2000)
  state: string;
}

export class AccountsQuery {
  /**
   * `true` requests the list from the provider, at most every 5 minutes, and requires the role editor; otherwise the stored list
   * is returned.
   */
  @MayBeMissing()
  @IsIn(['true', 'false'])
  refresh?: 'true' | 'false';
}

export class AccountList {
  items: AdAccountEntry[];
  /** When the provider returned the list. */
  listedAt: string | null;
}
