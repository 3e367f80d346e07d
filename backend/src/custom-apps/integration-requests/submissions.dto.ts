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
  /** E-mail of the member who moved it; null for platform staff. */
  actor: string | null;
  /** Note of platform staff. */
  note: string | null;
}

/** A requested integration that the catalog does not have. Empty fields are null. */
export class SubmissionEntry {
  id: string;
  state: SubmissionState;
  /** Name of the integration. */
  title: string | null;
  /** Address of its API's documentation. */
  documentation: string | null;
  /** The requested data and its purpose. */
  wantedData: string | null;
  /** How the product gets access to it. */
  accessKind: AccessKind | null;
  /** Contact for questions. */
  contactEmail: string | null;
  /** Each state it has reached, oldest first. */
  steps: SubmissionStepEntry[];
  version: number;
}

export class UpdateSubmissionBody {
  /** Name of the integration, 1 to 120 characters. Null, here and below, empties the field. */
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

  /** The requested data and its purpose, 1 to 4,000 characters. */
  @MayBeMissing()
  @unlessNull
  @trimmed
  @IsString()
  @Length(1, 4_000)
  wantedData?: string | null;

  /** How the product gets access to it. */
  @MayBeMissing()
  @unlessNull
  @IsIn(ACCESS_KINDS)
  accessKind?: AccessKind | null;

  /** Contact for questions. */
  @MayBeMissing()
  @unlessNull
  @trimmed
  @IsEmail()
  @MaxLength(320)
  contactEmail?: string | null;

  /** The version that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class SubmitBody {
  /** The version that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class SubmissionsQuery extends PageQuery {
  /** Only submissions in this state. */
  @MayBeMissing()
  @IsIn(SUBMISSION_STATES)
  state?: SubmissionState;
}

/** A submission as shown to platform staff. */
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
  /** The new state: `in_review` after submitted; `available` or `declined` after in_review. */
  @IsIn(DECISIONS)
  state: Decision;

  /** Note for the submitter, 1 to 1,000 characters. */
  @MayBeMissing()
  @trimmed
  @IsString()
  @Length(1, 1_000)
  note?: string;
}
