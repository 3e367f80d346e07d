import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsObject, IsString, IsUUID, Length, Max, Min } from 'class-validator';
import { CheckEntry, Failure } from '../platform/failure.dto.js';
import { MayBeMissing } from '../platform/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../platform/limits.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** Where rows go in PostgreSQL; what each field means is in the catalog's settings schema. */
export class DestinationSettings {
  host: string;
  port: number;
  database: string;
  schema: string;
  user: string;
  sslMode: 'disable' | 'prefer' | 'require' | 'verify-full';
  tablePrefix: string;
}

export class LastCheck {
  at: string;
  items: CheckEntry[];
}

/** What is written to. Its password is never part of an answer. */
export class DestinationEntry {
  id: string;
  name: string;
  appId: string;
  provider: 'postgresql';
  settings: DestinationSettings;
  state: 'ready' | 'needs_reauth' | 'unreachable' | 'permission_denied' | 'disabled';
  lastCheck: LastCheck | null;
  /** What is wrong and what to do, while something is. */
  failure: Failure | null;
  /** Connections that write to it. */
  usedBy: number;
  createdAt: string;
  version: number;
}

export class DestinationPage {
  items: DestinationEntry[];
  nextCursor: string | null;
}

export class CheckDestinationBody {
  @IsIn(['postgresql'])
  provider: 'postgresql';

  /** As the catalog's settings schema has it. */
  @IsObject()
  settings: Record<string, unknown>;

  /** As the catalog's credentials schema has it; left out to use those of `destinationId`. */
  @MayBeMissing()
  @IsObject()
  credentials?: Record<string, unknown>;

  /** An existing destination whose stored password is to be used. */
  @MayBeMissing()
  @IsUUID()
  destinationId?: string;
}

export class DestinationCheck {
  isPassed: boolean;
  items: CheckEntry[];
}

export class CreateDestinationBody {
  @IsIn(['postgresql'])
  provider: 'postgresql';

  /** 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  name: string;

  /** As the catalog's settings schema has it. */
  @IsObject()
  settings: Record<string, unknown>;

  /** As the catalog's credentials schema has it. Stored encrypted. */
  @IsObject()
  credentials: Record<string, unknown>;
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

  /** Left out, the stored password stays. */
  @MayBeMissing()
  @IsObject()
  credentials?: Record<string, unknown>;

  /** The version that was read; 409 when it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}
