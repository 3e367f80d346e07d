import { operator, type ErrorMeaning } from './error-table.js';

const refusedOrganization = operator('Google does not allow the organization of this installation to use the Google Ads API.');
const refusedProject = operator('Google does not allow the Google Cloud project of this installation to use the Google Ads API.');
const accessLevel = operator('The Google Cloud project of this installation can only read test accounts.');
const disabledProject = operator('The Google Cloud project of this installation is disabled.');

/**
 * Errors by which Google refuses the installation itself (its project, organization or access level), as `category.CODE`. For reading
 * reports and for sending conversions. Source: googleapis/google/ads/googleads/v25/errors.
 */
export const installationErrors: Record<string, ErrorMeaning> = {
  'authenticationError.ORGANIZATION_NOT_RECOGNIZED': refusedOrganization,
  'authenticationError.ORGANIZATION_NOT_APPROVED': refusedOrganization,
  'authenticationError.ORGANIZATION_NOT_ASSOCIATED_WITH_DEVELOPER_TOKEN': refusedOrganization,
  'authenticationError.DEVELOPER_TOKEN_INVALID': refusedProject,
  'errorInfo.SERVICE_DISABLED': operator('The Google Ads API is not enabled in the Google Cloud project of this installation.'),
  'errorInfo.CONSUMER_SUSPENDED': disabledProject,
  'errorInfo.CONSUMER_INVALID': refusedProject,
  'errorInfo.USER_PROJECT_DENIED': refusedProject,
  'errorInfo.GCP_SUSPENDED': disabledProject,
  'authorizationError.CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION': accessLevel,
  'authorizationError.DEVELOPER_TOKEN_NOT_APPROVED': accessLevel,
  'authorizationError.DEVELOPER_TOKEN_PROHIBITED': refusedProject,
  'authorizationError.DEVELOPER_TOKEN_NOT_ON_ALLOWLIST': refusedProject,
  'authorizationError.CLOUD_PROJECT_NOT_UNDER_ORGANIZATION': operator(
    'The Google Cloud project of this installation belongs to no organization, which Google requires.',
  ),
  'authorizationError.SERVICE_ACCESS_DENIED': refusedProject,
  'authorizationError.METRIC_ACCESS_DENIED': operator('Google does not allow this installation to read these numbers.'),
  'authorizationError.PROJECT_DISABLED': disabledProject,
  'authorizationError.MISSING_TOS': operator('Google Ads terms of service have not been accepted for this installation.'),
  'requestError.CLOUD_PROJECT_NOT_FOUND': operator('The Google Cloud project of this installation does not exist.'),
  'requestError.UNSUPPORTED_VERSION': operator('Google no longer supports the API version that this installation uses.'),
  'quotaError.ACCESS_PROHIBITED': operator('Google has assigned no quota to this installation.'),
};

/** Null unless Google refuses the installation itself, so that no user can act. */
export function refusalOfInstallation(code: string, status: number): ErrorMeaning | null {
  // Google's API gateway knows only the project and the token, no accounts.
  const isOfProject = code.startsWith('errorInfo.') && !code.startsWith('errorInfo.ACCESS_TOKEN_');
  return installationErrors[code] ?? (isOfProject && status === 403 ? refusedProject : null);
}
