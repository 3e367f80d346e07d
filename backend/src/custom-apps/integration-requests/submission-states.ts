export const SUBMISSION_STATES = ['draft', 'submitted', 'in_review', 'available', 'declined'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

export const ACCESS_KINDS = ['oauth2', 'api_key', 'password', 'files', 'other'] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** States into which platform staff move a submission; members move it into `submitted`. */
export const DECISIONS = ['in_review', 'available', 'declined'] as const;
export type Decision = (typeof DECISIONS)[number];

/** The required previous state of each state. */
export const REACHED_FROM: Record<Exclude<SubmissionState, 'draft'>, SubmissionState> = {
  submitted: 'draft',
  in_review: 'submitted',
  available: 'in_review',
  declined: 'in_review',
};
