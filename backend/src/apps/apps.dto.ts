import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import type { AuthMode } from '../connectors/kit/connector.js';
import { type AppProvider, destinationProviders, sourceProviders, type Level, levels } from '../connectors/kit/contract.js';
import { PageQuery } from '../core/http/page.dto.js';
import { AdAccountEntry, Failure } from '../core/http/failure.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../core/http/limits.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

const APP_PROVIDERS: AppProvider[] = [...sourceProviders, ...destinationProviders, 'custom'];
const CREATED_PROVIDERS = ['google_ads', 'meta_ads', 'microsoft_ads', 'bigquery', 'custom'] as const;

export class AppUse {
  sources: number;
  destinations: number;
  connections: number;
}

export class AppQuota {
  /** 0 to 100. */
  usedPercent: number;
  /** When it will be less; null: the provider does not say. */
  resetAt: string | null;
  /** When it was told. */
  at: string;
}

/** What people may still cause at the provider by hand today: the organization's budget, over all its apps of this provider. */
export class AppRequestBudget {
  /** Requests made today. */
  used: number;
  /** Requests a day. */
  limit: number;
  /** Midnight UTC. */
  resetAt: string;
}

/** An open link by which somebody without an account here may reconnect the app. */
export class AppShareLink {
  createdAt: string;
  expiresAt: string;
}

/** When somebody signed in last, or typed the access in. */
export class AppAuthorisation {
  at: string;
  /** `link`: by a reconnect link, without an account here. */
  way: 'member' | 'link';
  /** E-mail of the member; null: of somebody with a link, or of an account that is gone. */
  email: string | null;
}

/** How new sources of the app are read unless they say otherwise. */
export class SourceDefaults {
  /** Streams down to this level are offered. */
  level: Level;
  /** Streams split by these are offered. */
  breakdowns: string[];
  /** Days before today that each run reads again; null takes the platform's own windows. */
  lookbackDays: number | null;
}

/** One authenticated account at a provider. Its credentials are never part of an answer. */
export class AppEntry {
  id: string;
  provider: AppProvider;
  displayName: string;
  roles: ('source' | 'destination')[];
  authMode: AuthMode;
  state: 'draft' | 'authorizing' | 'connected' | 'expiring' | 'needs_reauth' | 'revoked' | 'disabled';
  /** What can be shown of the credentials, such as a user name. */
  credentialHint: string | null;
  grantedScopes: string[];
  /** Scopes we asked for and did not get. */
  missingScopes: string[];
  /** E-mail of the provider's user who authorised. */
  externalUser: string | null;
  /** Null: nobody has yet. */
  authorised: AppAuthorisation | null;
  /** Ad accounts it reaches, as listed last. */
  accounts: AdAccountEntry[];
  accountsListedAt: string | null;
  /** How new sources of it are read; null: the usual, which is everything. */
  sourceDefaults: SourceDefaults | null;
  usedBy: AppUse;
  lastProbeAt: string | null;
  /** What is wrong and what to do, while something is. */
  failure: Failure | null;
  /** Since when its sign-in is dead; null while it lives. */
  needsReauthSince: string | null;
  shareLink: AppShareLink | null;
  /** When the current access token ends; it is renewed by itself. */
  accessExpiresAt: string | null;
  /** When a person must sign in again, as far as the provider tells. */
  signInAgainAt: string | null;
  lastRefreshAt: string | null;
  /** How much of the provider's limit was used, as told last. */
  quota: AppQuota | null;
  /** Null: the provider is no ad platform. */
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
  @IsIn(APP_PROVIDERS)
  provider?: AppProvider;
}

export class CreateAppBody {
  /** A provider that people sign in to, or `custom`. Apps of the others are made with their destination. */
  @IsIn(CREATED_PROVIDERS)
  provider: (typeof CREATED_PROVIDERS)[number];

  /** 1 to 120 characters; the provider's name when left out. */
  @MayBeMissing()
  @trimmed
  @IsString()
  @Length(1, 120)
  displayName?: string;
}

export class UpdateAppBody {
  /** 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  displayName: string;

  /** The version that was read; 409 when it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class UpdateSourceDefaultsBody {
  /** Streams down to this level are offered. */
  @IsIn(levels)
  level: Level;

  /** Streams split by these are offered. */
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  breakdowns: string[];

  /** Days each run reads again, 0 to 90; null takes the platform's own windows. */
  @ValidateIf((_, value) => value !== null)
  @IsInt()
  @Min(0)
  @Max(90)
  lookbackDays: number | null;

  /** The version of the app that was read; 409 when it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

/** A path of our own: anything else would send people elsewhere after they signed in. */
const RELATIVE_PATH = /^\/(?![/\\])[^\\\s]*$/;

export class StartOauthBody {
  /** Relative path to go back to afterwards. */
  @MayBeMissing()
  @IsString()
  @MaxLength(500)
  @Matches(RELATIVE_PATH, { message: 'returnTo must be a path of this site' })
  returnTo?: string;
}

export class OauthStart {
  /** Where to send the browser. */
  authorizeUrl: string;
  /** After this the link is refused. */
  expiresAt: string;
}

export class CompleteOauthBody {
  /** As the provider handed it back. */
  @IsString()
  @Length(1, 2000)
  state: string;

  /** The code to trade for tokens; missing when the provider refused. */
  @MayBeMissing()
  @IsString()
  @MaxLength(2000)
  code?: string;

  /** The provider's refusal, such as `access_denied`. */
  @MayBeMissing()
  @IsString()
  @MaxLength(500)
  error?: string;
}

export class AcceptOtherUserBody {
  /** The state of the refused sign-in. */
  @IsString()
  @Length(1, 2000)
  state: string;
}

export class AccountsQuery {
  /** `true` asks the provider, at most every 5 minutes, and takes the role editor; otherwise the last list is shown. */
  @MayBeMissing()
  @IsIn(['true', 'false'])
  refresh?: 'true' | 'false';
}

export class AccountList {
  items: AdAccountEntry[];
  /** When the provider was asked. */
  listedAt: string | null;
}
