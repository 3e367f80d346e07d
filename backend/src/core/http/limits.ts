/** The largest value of a PostgreSQL integer column. */
export const INTEGER_MAX = 2_147_483_647;

/** Maximum number of items of each list that is not paginated. Queries use these limits, and the OpenAPI document states them. */
export const LIST_LIMITS = {
  /** Organizations of one person. */
  organizations: 1_000,
  /** The list for super admins, who search in it. */
  allOrganizations: 5_000,
  deletedOrganizations: 100,
  members: 1_000,
  pendingInvitations: 100,
  /** The maximum that can be sent while an invitation is valid. */
  sentInvitations: 400,
  /** Accounts of one authorization at a platform. */
  adAccounts: 10_000,
  /** Accounts of one source. */
  sourceAccounts: 500,
  /** Limit for each of: sources, destinations and connections of one app. */
  conversionSources: 500,
  /** Events found by one order id. */
  foundOrders: 20,
  /** Reasons why events of a conversion were not counted. */
  eventReasons: 20,
  /** Records shown for the mapping. */
  sampleRecords: 20,
  recordFields: 1_000,
  /** Conversion actions, datasets or goals of an ad account. */
  conversionTargets: 1_000,
  /** Requests and steps of one event, and its refunds. */
  eventHistory: 100,
  /** Newest events of a payment. */
  paymentEvents: 20,
  /** Currencies in which subscriptions of one Stripe account are billed. */
  revenueCurrencies: 200,
  /** Days of the history of recurring revenue. */
  revenueDays: 90,
  usersOfApp: 1_000,
  submissionSteps: 200,
  pushReceipts: 20,
  /** Days of one requested range. */
  coverageDays: 1_200,
  /** Accounts times days of one response, about 13 MB. */
  coverageCells: 100_000,
  /** Days of one request for the freshness of a connection, and of an organization. */
  freshnessDays: 100,
  freshnessListDays: 31,
  /** Connections of one request for freshness. */
  freshnessConnections: 100,
  /** Listed account-days that are missing on one day. Their number is not limited. */
  freshnessMissing: 5,
  destinationTables: 1_000,
  /** Listed ranges of days. The count of different days is not limited. */
  auditDifferences: 100,
  reconciliationDifferences: 100,
  reconciliationExclusionNames: 20,
  /** Chunks of one backfill. */
  backfillChunks: 5_000,
  /** Streams and currencies of a run. */
  proofTotals: 500,
  /** Listed streams and accounts of a run, those that differ first. The totals contain all of them. */
  proofAccounts: 1_000,
  runAttempts: 100,
  runSlices: 1_000,
  runLogLines: 500,
  runRequestLines: 200,
} as const;
