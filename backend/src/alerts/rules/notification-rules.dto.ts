import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  IsUUID,
  Length,
  Max,
  Min,
} from 'class-validator';
import { type Role, ROLES } from '../../access/index.js';
import { INTEGER_MAX } from '../../core/http/limits.js';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';
import { type RuleEvent, ruleEvents } from '../alert-kinds.js';

export const CHANNELS = ['in_app', 'mail', 'webhook', 'slack'] as const;

export class UpdateRuleBody {
  /**
   * Kinds of alerts; `weekly.summary`, which is sent by mail, webhook and Slack; and `freshness.complete`, `freshness.late` and
   * `freshness.recovered`, which are sent by webhook and Slack.
   */
  @MayBeMissing()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsIn(ruleEvents, { each: true })
  events?: RuleEvent[];

  /** Whether it also notifies when an alert recovers. Default: true. */
  @MayBeMissing()
  @IsBoolean()
  includesRecovery?: boolean;

  /** For mail: roles whose members receive it. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(4)
  @ArrayUnique()
  @IsIn(ROLES, { each: true })
  roles?: Role[];

  /** For mail: ids of further members who receive it. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 128, { each: true })
  memberIds?: string[];

  @MayBeMissing()
  @IsBoolean()
  isEnabled?: boolean;

  /** The version that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class CreateRuleBody {
  /** It cannot be changed later. */
  @IsIn(CHANNELS)
  channel: (typeof CHANNELS)[number];

  /**
   * Kinds of alerts; `weekly.summary`, which is sent by mail, webhook and Slack; and `freshness.complete`, `freshness.late` and
   * `freshness.recovered`, which are sent by webhook and Slack.
   */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsIn(ruleEvents, { each: true })
  events: RuleEvent[];

  /** Whether it also notifies when an alert recovers. Default: true. */
  @MayBeMissing()
  @IsBoolean()
  includesRecovery?: boolean;

  /** For mail: roles whose members receive it. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(4)
  @ArrayUnique()
  @IsIn(ROLES, { each: true })
  roles?: Role[];

  /** For mail: ids of further members who receive it. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 128, { each: true })
  memberIds?: string[];

  /** For webhook and Slack: the webhook that receives it. */
  @MayBeMissing()
  @IsUUID()
  endpointId?: string;
}

export class RuleEndpoint {
  id: string;
  name: string;
  isEnabled: boolean;
}

export class NotificationRuleEntry {
  id: string;
  channel: (typeof CHANNELS)[number];
  events: RuleEvent[];
  includesRecovery: boolean;
  roles: Role[];
  memberIds: string[];
  /** Null for other channels than webhook and Slack. */
  endpoint: RuleEndpoint | null;
  isEnabled: boolean;
  createdAt: string;
  version: number;
}

export class NotificationRulePage {
  items: NotificationRuleEntry[];
  nextCursor: string | null;
}
