import { Transform } from 'class-transformer';
import { IsString, Matches, MaxLength, MinLength } from 'class-validator';
import type { Role } from '../access/index.js';
import { IsMoment } from '../core/http/moment.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

export class AuditQuery extends PageQuery {
  /** Part of the actor's e-mail, or the full uid. */
  @MayBeMissing()
  @Transform(trimmed)
  @IsString()
  @MinLength(1)
  @MaxLength(320)
  actor?: string;

  /**
   * One action, such as member.removed, or all actions of a kind, such as `member.` with the dot.
   * @example 'member.removed'
   */
  @MayBeMissing()
  @Matches(/^[a-z_]{1,40}\.[a-z_]{0,40}$/, { message: 'action must look like member.removed or member.' })
  action?: string;

  /** Start of the period, inclusive. */
  @MayBeMissing()
  @IsMoment()
  from?: string;

  /** End of the period, exclusive. */
  @MayBeMissing()
  @IsMoment()
  to?: string;
}

export class AuditTarget {
  /** Kind of resource. */
  type: string;
  id: string | null;
  /** Name at the time of the action. */
  name: string | null;
}

export class AuditEvent {
  id: string;
  at: string;
  /** `super_admin` is a visit of platform staff; `system` is an automatic action. */
  actorKind: 'user' | 'api_key' | 'super_admin' | 'system';
  /** Firebase uid of the user or of the API key's creator. */
  actorId: string | null;
  actorEmail: string | null;
  apiKeyName: string | null;
  /** Role at the time of the action. */
  role: Role | null;
  /**
   * Kind of resource and verb.
   * @example 'member.removed'
   */
  action: string;
  target: AuditTarget;
  /** Changed fields with their previous values. */
  before: Record<string, unknown> | null;
  /** Changed fields with their new values. */
  after: Record<string, unknown> | null;
  ip: string | null;
  requestId: string | null;
  /** Number of occurrences in this hour. Repeated rejections of one caller are one entry, with the IP address and request id of the first. */
  count: number;
  /** Time of the last occurrence; null for a single occurrence. */
  lastAt: string | null;
}

export class AuditPage {
  items: AuditEvent[];
  nextCursor: string | null;
}
