/** The largest number a column of type integer holds. */
export const INTEGER_MAX = 2_147_483_647;

/** Most items of each list without pages. Queries use them as `limit`, and the API document states them. */
export const LIST_LIMITS = {
  /** Of one person. */
  organizations: 1_000,
  /** For platform staff, who search in them. */
  allOrganizations: 5_000,
  deletedOrganizations: 100,
  members: 1_000,
  pendingInvitations: 100,
  /** As many as can be sent within the days they are valid. */
  sentInvitations: 400,
  /** Of one sign-in at a platform. */
  adAccounts: 10_000,
  /** Of one source. */
  sourceAccounts: 500,
  /** Sources, destinations and connections of one app, each. */
  usersOfApp: 1_000,
  submissionSteps: 200,
  pushReceipts: 20,
  /** Days of one range. */
  coverageDays: 1_200,
  /** Accounts times days of one answer, about 13 MB. */
  coverageCells: 100_000,
  destinationTables: 1_000,
  /** Ranges of days; the count of days that differ is always whole. */
  auditDifferences: 100,
  runAttempts: 100,
  runSlices: 1_000,
  runLogLines: 500,
  runRequestLines: 200,
} as const;
