import { LIST_LIMITS } from '../core/http/limits.js';

const { organizations, allOrganizations, ...limits } = LIST_LIMITS;
/** For lists that are limited by the code, the catalog or request validation, so that no query needs a limit. */
const NAMES = 100;

/**
 * Maximum length of each list in a response, by schema and property. A test fails for a list that is neither paginated nor listed
 * here: add the limit to the query, and then here.
 */
export const MAX_ITEMS: Record<string, number> = {
  'Policy.roles': NAMES,
  'Policy.permissions': NAMES,
  'Organization.permissions': NAMES,
  // The larger limit: super admins can list all organizations, other users only their own.
  'OrganizationIdsAnswer.organizations': Math.max(allOrganizations, organizations),
  'DeletedOrganizationList.items': limits.deletedOrganizations,
  'TeamMembersAnswer.members': limits.members,
  'PendingInvitationsAnswer.invitations': limits.pendingInvitations,
  'SentInvitationsAnswer.invitations': limits.sentInvitations,
  // One entry for each day of the last month.
  'Usage.rowsByDay': 31,
  'ConnectionEntry.rowsByDay': 31,
  'SourceDefaults.breakdowns': 50,
  'SourceSettingsEntry.breakdowns': 50,
  'AppEntry.roles': NAMES,
  'AppEntry.grantedScopes': NAMES,
  'AppEntry.missingScopes': NAMES,
  'AppEntry.accounts': limits.adAccounts,
  'AccountList.items': limits.adAccounts,
  'OtherUser.missingAccounts': limits.adAccounts,
  'OtherUser.addedAccounts': limits.adAccounts,
  'AppImpact.sources': limits.usersOfApp,
  'AppImpact.destinations': limits.usersOfApp,
  'AppImpact.connections': limits.usersOfApp,
  'CatalogCredentials.scopes': NAMES,
  'CatalogStream.key': NAMES,
  'CatalogStream.breakdowns': NAMES,
  'CatalogStream.columns': 500,
  'CatalogConnector.roles': NAMES,
  'CatalogConnector.credentials': NAMES,
  'CatalogConnector.streams': 200,
  'Catalog.connectors': 200,
  'SubmissionEntry.steps': limits.submissionSteps,
  'DeskSubmission.steps': limits.submissionSteps,
  'PushReceiptList.items': limits.pushReceipts,
  // Limited by the number of accounts per source.
  'SourceEntry.accounts': limits.sourceAccounts,
  'ConnectionSource.accounts': limits.sourceAccounts,
  'SourceWindows.items': limits.sourceAccounts,
  'CoverageAnswer.accounts': limits.sourceAccounts,
  'CoverageAccount.days': limits.coverageDays + 1,
  'DailyAnswer.days': limits.coverageDays + 1,
  'DestinationAuditEntry.differences': limits.auditDifferences,
  'AuditDifference.lostColumns': 500,
  'SourceEntry.streams': 200,
  'ConnectionEntry.streams': 200,
  'ConnectionStream.leftOut': 200,
  'ConnectionEntry.tags': 20,
  'LastCheck.items': NAMES,
  'DestinationCheck.items': NAMES,
  'TestEvent.items': NAMES,
  'Estimate.checks': NAMES,
  // Also limits the values of one row.
  'EstimateSample.rows': 500,
  'EstimateSample.columns': 500,
  'DestinationTables.items': limits.destinationTables,
  'RunDetail.attempts': limits.runAttempts,
  'RunDetail.slices': limits.runSlices,
  'RunDetail.verification': limits.sourceAccounts,
  'RunDetail.log': limits.runLogLines,
  'RunDetail.requests': limits.runRequestLines,
};
