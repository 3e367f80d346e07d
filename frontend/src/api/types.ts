import type { Role } from '~/domain/connections/connection-state';
import type { components } from './schema';

type Schemas = components['schemas'];

export type RuntimeConfig = Schemas['PublicConfig'];

export type UserRecord = Schemas['UserRecord'];
export type OrganizationEntry = Schemas['OrganizationEntry'];

export type Subscription = Schemas['Subscription'];
export type Usage = Schemas['Usage'];

/** The response of `getOrganizationData` for `type=organization`. The API document describes it only as an object. */
export interface OrganizationDocument {
  organization_id: string;
  company_name: string;
  company_logo: string | null;
  connections_count: number;
  /** Null when billing is on and the organization never subscribed. */
  subscription: Pick<Subscription, 'status' | 'isBilled' | 'access'> | null;
  role: Role;
}

export type Organization = Schemas['Organization'];
export type OrganizationChange = Schemas['UpdateOrganizationBody'];
export type DeletedOrganization = Schemas['DeletedOrganization'];
export type Member = Schemas['Member'];
export type MemberRole = Member['role'];
export type SentInvitation = Schemas['SentInvitation'];
export type PendingInvitation = Schemas['PendingInvitation'];
export type InvitationPreview = Schemas['InvitationPreview'];
export type ApiKey = Schemas['ApiKey'];
export type NewApiKey = Schemas['CreateApiKeyBody'];
export type AuditEvent = Schemas['AuditEvent'];
export type AuditPage = Schemas['AuditPage'];

export type Provider = Schemas['AppEntry']['provider'];
export type Connector = Schemas['CatalogConnector'];
export type Submission = Schemas['SubmissionEntry'];
export type SubmissionChange = Schemas['UpdateSubmissionBody'];
export type PushEndpoint = Schemas['PushEndpointEntry'];
export type PushReceipt = Schemas['PushReceiptEntry'];
export type CatalogStream = Schemas['CatalogStream'];
export type AdAccount = Schemas['AdAccountEntry'];
export type Failure = Schemas['Failure'];
export type CheckItem = Schemas['CheckEntry'];

export type App = Schemas['AppEntry'];
export type AppState = App['state'];
export type Source = Schemas['SourceEntry'];
export type Destination = Schemas['DestinationEntry'];

export type Schedule = Schemas['ScheduleBody'];
export type Connection = Schemas['ConnectionEntry'];
export type ConnectionAudit = Schemas['ConnectionAudit'];
export type DestinationAudit = Schemas['DestinationAuditEntry'];
export type AuditDifference = Schemas['AuditDifference'];
export type ConnectionPage = Schemas['ConnectionPage'];
export type NewConnection = Schemas['CreateConnectionBody'];
export type ConnectionChange = Schemas['UpdateConnectionBody'];
export type EstimateQuestion = Schemas['EstimateBody'];

/** The API document cannot express rows of cells, so `sample` is typed here. */
export type Estimate = Omit<Schemas['Estimate'], 'sample'> & {
  sample: { stream: string; columns: string[]; rows: (string | null)[][] };
};

export type Conversion = Schemas['ConversionEntry'];
export type ConversionPage = Schemas['ConversionPage'];
export type NewConversion = Schemas['CreateConversionBody'];
export type ConversionChange = Schemas['UpdateConversionBody'];
export type ConversionRules = Schemas['ConversionRulesBody'];
export type ConversionSource = Schemas['ConversionSourceBody'];
export type ConversionSourceChoice = Schemas['ConversionSourceChoice'];
export type ConversionTargetChoice = Schemas['ConversionTargetChoice'];
export type RecordSample = Schemas['RecordSample'];
export type ConversionPreview = Schemas['Preview'];
export type ConversionRun = Schemas['ConversionRunEntry'];
export type ConversionRunPage = Schemas['ConversionRunPage'];
export type ConversionEvent = Schemas['ConversionEventEntry'];
export type ConversionEventDetail = Schemas['ConversionEventDetail'];
export type ConversionEventPage = Schemas['ConversionEventPage'];
export type ConversionEventState = ConversionEvent['state'];
export type ConversionFunnel = Schemas['ConversionFunnel'];

export type Coverage = Schemas['CoverageAnswer'];
export type CoverageDay = Schemas['CoverageDayEntry'];
export type DailyTotals = Schemas['DailyAnswer'];

export type RunProgress = Schemas['RunProgress'];
export type RunSummary = Schemas['RunSummary'];
export type RunKind = RunSummary['kind'];
export type RunPage = Schemas['RunPage'];
export type Run = Schemas['RunDetail'];
export type RunSlice = Schemas['RunSliceEntry'];
export type AccountVerification = Schemas['AccountVerification'];
export type LogLine = Schemas['RunLogLine'];
export type ProviderRequest = Schemas['RunRequestLine'];

export type PersonEntry = Schemas['UserEntry'];
export type PersonPage = Schemas['UserPage'];

export type AppImpact = Schemas['AppImpact'];
export type AppHistoryEvent = Schemas['AppEventEntry'];
export type ShareLink = Schemas['NewShareLink'];
export type SignedIn = Schemas['OauthCompletion'];
export type OtherUser = Schemas['OtherUser'];

export type SourceSettings = Source['settings'];
export type Level = SourceSettings['level'];
