import { Transform } from 'class-transformer';
import { IsEmail, IsIn, IsInt, IsString, IsUrl, Length, Max, MaxLength, Min, ValidateIf } from 'class-validator';
import { INTEGER_MAX } from '../../core/http/limits.js';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';
import { PageQuery } from '../../core/http/page.dto.js';
import {
  ACCESS_KINDS,
  type AccessKind,
  DECISIONS,
  type Decision,
  SUBMISSION_STATES,
  type SubmissionState,
} from './submission-states.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
const unlessNull = ValidateIf((_, value) => value !== null);

export class SubmissionStepEntry {
  state: SubmissionState;
  at: string;
  /** E-mail of the member who moved it; null: whoever runs this instance. */
  actor: string | null;
  /** What was said about it. */
  note: string | null;
}

/** An integration that the catalog lacks, as it is asked for. What has not been said yet is null. */
export class SubmissionEntry {
  id: string;
  state: SubmissionState;
  /** What it is called. */
  title: string | null;
  /** Address of its API's documentation. */
  documentation: string | null;
  /** Which data is wanted, and for what. */
  wantedData: string | null;
  /** How access to it is given. */
  accessKind: AccessKind | null;
  /** Whom to ask. */
  contactEmail: string | null;
  /** Each state it has reached, oldest first. */
  steps: SubmissionStepEntry[];
  version: number;
}

export class UpdateSubmissionBody {
  /** What it is called, 1 to 120 characters; null, here and below: not said yet. */
  @MayBeMissing()
  @unlessNull
  @trimmed
  @IsString()
  @Length(1, 120)
  title?: string | null;

  /** Address of its API's documentation. */
  @MayBeMissing()
  @unlessNull
  @trimmed
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true })
  @MaxLength(2_000)
  documentation?: string | null;

  /** Which data is wanted, and for what, 1 to 4,000 characters. */
  @MayBeMissing()
  @unlessNull
  @trimmed
  @IsString()
  @Length(1, 4_000)
  wantedData?: string | null;

  /** How access to it is given. */
  @MayBeMissing()
  @unlessNull
  @IsIn(ACCESS_KINDS)
  accessKind?: AccessKind | null;

  /** Whom to ask. */
  @MayBeMissing()
  @unlessNull
  @trimmed
  @IsEmail()
  @MaxLength(320)
  contactEmail?: string | null;

  /** The version that was read; 409 when it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class SubmitBody {
  /** The version that was read; 409 when it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class SubmissionsQuery extends PageQuery {
  /** Only those in this state. */
  @MayBeMissing()
  @IsIn(SUBMISSION_STATES)
  state?: SubmissionState;
}

/** A submission as platform staff see it. */
export class DeskSubmission extends SubmissionEntry {
  organizationId: string;
  organizationName: string;
  appId: string;
}

export class DeskSubmissionPage {
  items: DeskSubmission[];
  nextCursor: string | null;
}

export class MoveSubmissionBody {
  /** Where it goes: `in_review` after submitted; `available` or `declined` after in_review. */
  @IsIn(DECISIONS)
  state: Decision;

  /** Told to who asked, 1 to 1,000 characters. */
  @MayBeMissing()
  @trimmed
  @IsString()
  @Length(1, 1_000)
  note?: string;
}
