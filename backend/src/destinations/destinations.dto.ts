import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsObject, IsString, IsUUID, Length, Max, Min } from 'class-validator';
import type { AuthMode } from '../connectors/kit/connector.js';
import { type DestinationProvider, destinationProviders } from '../connectors/kit/contract.js';
import { CheckEntry, Failure } from '../core/http/failure.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../core/http/limits.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

export class LastCheck {
  at: string;
  items: CheckEntry[];
}

/** What is written to. Its password is never part of an answer. */
export class DestinationEntry {
  id: string;
  name: string;
  appId: string;
  appName: string;
  provider: DestinationProvider;
  authMode: AuthMode;
  /** As the catalog's settings schema has it. */
  settings: Record<string, unknown>;
  /** Where rows go, in short: `warehouse.public`. */
  target: string;
  state: 'ready' | 'needs_reauth' | 'unreachable' | 'permission_denied' | 'disabled';
  lastCheck: LastCheck | null;
  /** What is wrong and what to do, while something is. */
  failure: Failure | null;
  /** Connections that write to it. */
  usedBy: number;
  /** First day with rows that connections loaded into it; null: none yet. */
  earliestDataAt: string | null;
  /** Last day with rows; null: none yet. */
  latestDataAt: string | null;
  createdAt: string;
  version: number;
}

export class DestinationPage {
  items: DestinationEntry[];
  nextCursor: string | null;
}

export class CheckDestinationBody {
  @IsIn(destinationProviders)
  provider: DestinationProvider;

  /** As the catalog's settings schema has it. */
  @IsObject()
  settings: Record<string, unknown>;

  /**
   * As the catalog's credentials schema has it; left out to use those of `appId` or `destinationId`, which are used for the place
   * alone that they were stored for.
   */
  @MayBeMissing()
  @IsObject()
  credentials?: Record<string, unknown>;

  /** A connected app of the provider, whose credentials are to be used. */
  @MayBeMissing()
  @IsUUID()
  appId?: string;

  /** An existing destination whose stored credentials are to be used. */
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
  /** As its reader would name it. */
  table: string;
  /** Name of the stream it becomes. */
  stream: string;
  /** Rows in it, as the destination reported them last; null: nothing has arrived. */
  rows: number | null;
  /** Sent to it in the last 30 days, days loaded again included; null: nothing. */
  bytes: number | null;
  lastLoadedAt: string | null;
}

export class DestinationTables {
  items: DestinationTable[];
}

export class CreateDestinationBody {
  @IsIn(destinationProviders)
  provider: DestinationProvider;

  /** 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  name: string;

  /** As the catalog's settings schema has it. */
  @IsObject()
  settings: Record<string, unknown>;

  /** As the catalog's credentials schema has it. Stored encrypted in an app of their own. */
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

  /** As the catalog's settings schema has it; replaces all settings. */
  @MayBeMissing()
  @IsObject()
  settings?: Record<string, unknown>;

  /** Left out, the stored ones stay, for as long as the settings name the place that they were stored for. */
  @MayBeMissing()
  @IsObject()
  credentials?: Record<string, unknown>;

  /** The version that was read; 409 when it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}
