import { Transform } from 'class-transformer';
import { IsInt, IsObject, IsString, IsUUID, Length, Max, Min } from 'class-validator';
import type { AuthMode } from '../connectors/kit/connector.js';
import { IsProviderOf, ProviderOf } from '../catalog/index.js';
import type { ProviderName } from '../connectors/kit/contract.js';
import { destinationProviders } from '../connectors/registry.js';
import { CheckEntry, Failure } from '../core/http/failure.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../core/http/limits.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

export class LastCheck {
  at: string;
  items: CheckEntry[];
}

/** A target of connections. Its password is never returned. */
export class DestinationEntry {
  id: string;
  name: string;
  appId: string;
  appName: string;
  @ProviderOf(destinationProviders)
  provider: ProviderName;
  authMode: AuthMode;
  /** As defined by the catalog's settings schema. */
  settings: Record<string, unknown>;
  /** Short name of the place that rows are written to: `warehouse.public`. */
  target: string;
  state: 'ready' | 'needs_reauth' | 'unreachable' | 'permission_denied' | 'disabled';
  lastCheck: LastCheck | null;
  /** The current problem and its action; null if there is none. */
  failure: Failure | null;
  /** Number of connections that write to it, and of conversions that read from it. */
  usedBy: number;
  /** First day with loaded rows; null if there are none. */
  earliestDataAt: string | null;
  /** Last day with loaded rows; null if there are none. */
  latestDataAt: string | null;
  createdAt: string;
  version: number;
}

export class DestinationPage {
  items: DestinationEntry[];
  nextCursor: string | null;
}

export class CheckDestinationBody {
  @IsProviderOf(destinationProviders)
  provider: ProviderName;

  /** As defined by the catalog's settings schema. */
  @IsObject()
  settings: Record<string, unknown>;

  /**
   * As defined by the catalog's credentials schema. If omitted, the credentials of `appId` or `destinationId` are used, but only
   * for the server or project that they were stored for.
   */
  @MayBeMissing()
  @IsObject()
  credentials?: Record<string, unknown>;

  /** A connected app of the provider whose credentials are used. */
  @MayBeMissing()
  @IsUUID()
  appId?: string;

  /** An existing destination whose stored credentials are used. */
  @MayBeMissing()
  @IsUUID()
  destinationId?: string;
}

export class DestinationCheck {
  isPassed: boolean;
  items: CheckEntry[];
}

export class TestEvent {
  items: CheckEntry[];
}

/** A table, or an event, that connections write. */
export class DestinationTable {
  /** Full name at the destination. */
  table: string;
  /** Name of the stream that is loaded into it. */
  stream: string;
  /** Rows in it, as the destination reported them last; null if nothing was loaded. */
  rows: number | null;
  /** Bytes sent to it in the last 30 days, including repeated loads; null if none. */
  bytes: number | null;
  lastLoadedAt: string | null;
}

export class DestinationTables {
  items: DestinationTable[];
}

export class CreateDestinationBody {
  @IsProviderOf(destinationProviders)
  provider: ProviderName;

  /** Name of the destination, 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  name: string;

  /** As defined by the catalog's settings schema. */
  @IsObject()
  settings: Record<string, unknown>;

  /** As defined by the catalog's credentials schema. Stored encrypted in a new app. */
  @MayBeMissing()
  @IsObject()
  credentials?: Record<string, unknown>;

  /** A connected app of the provider, instead of credentials. */
  @MayBeMissing()
  @IsUUID()
  appId?: string;
}

export class UpdateDestinationBody {
  /** 1 to 120 characters. */
  @MayBeMissing()
  @trimmed
  @IsString()
  @Length(1, 120)
  name?: string;

  /** As defined by the catalog's settings schema; replaces all settings. */
  @MayBeMissing()
  @IsObject()
  settings?: Record<string, unknown>;

  /**
   * If omitted, the stored credentials are kept, as long as the settings name the server or project that they were stored for.
   */
  @MayBeMissing()
  @IsObject()
  credentials?: Record<string, unknown>;

  /** The version that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}
