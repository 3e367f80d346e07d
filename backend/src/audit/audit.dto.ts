import { Transform } from 'class-transformer';
import { IsISO8601, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import type { Role } from '../access/index.js';
import { PageQuery } from '../core/http/page.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';

const isoDate = { strict: true, strictSeparator: true };
const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

export class AuditQuery extends PageQuery {
  /** Part of the actor's e-mail, or their whole uid. */
  @MayBeMissing()
  @Transform(trimmed)
  @IsString()
  @MinLength(1)
  @MaxLength(320)
  actor?: string;

  /**
   * One action, such as member.removed, or all of a kind, such as `member.` with its dot.
   * @example 'member.removed'
   */
  @MayBeMissing()
  @Matches(/^[a-z_]{1,40}\.[a-z_]{0,40}$/, { message: 'action must look like member.removed or member.' })
  action?: string;

  /** Not before this time. */
  @MayBeMissing()
  @IsISO8601(isoDate)
  from?: string;

  /** Before this time. */
  @MayBeMissing()
  @IsISO8601(isoDate)
  to?: string;
}

export class AuditTarget {
  /** Kind of thing. */
  type: string;
  id: string | null;
  /** Its name at that time. */
  name: string | null;
}

export class AuditEvent {
  id: string;
  at: string;
  /** `super_admin` is platform staff looking in; `system` is the product itself. */
  actorKind: 'user' | 'api_key' | 'super_admin' | 'system';
  /** Firebase uid; of a key, its maker's. */
  actorId: string | null;
  actorEmail: string | null;
  apiKeyName: string | null;
  /** Role at that time. */
  role: Role | null;
  /**
   * Kind of thing and verb.
   * @example 'member.removed'
   */
  action: string;
  target: AuditTarget;
  /** Changed fields as they were. */
  before: Record<string, unknown> | null;
  /** Changed fields as they are now. */
  after: Record<string, unknown> | null;
  ip: string | null;
  requestId: string | null;
  /** How often it happened in this hour. Repeated refusals of one caller are one entry, with the address and the request of the first. */
  count: number;
  /** When it happened last; null: only once. */
  lastAt: string | null;
}

export class AuditPage {
  items: AuditEvent[];
  nextCursor: string | null;
}
