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
export type ConfigurationFile = Schemas['ConfigurationFile'];
export type ConfigurationPlan = Schemas['ConfigurationPlan'];
export type ImportResult = Schemas['ImportResult'];
export type PlanItem = Schemas['PlanItem'];
export type AuditEvent = Schemas['AuditEvent'];
export type AuditPage = Schemas['AuditPage'];

/** Any name: the API document lists the providers of this build only, and an instance can have more. */
export type Provider = string;
export type Connector = Schemas['CatalogConnector'];
export type Submission = Schemas['SubmissionEntry'];
export type SubmissionChange = Schemas['UpdateSubmissionBody'];
export type PushEndpoint = Schemas['PushEndpointEntry'];
export type PushReceipt = Schemas['PushReceiptEntry'];
export type CatalogStream = Schemas['CatalogStream'];
export type AdAccount = Schemas['AdAccountEntry'];
export type CheckItem = Schemas['CheckEntry'];

export type App = Schemas['AppEntry'];
export type AppState = App['state'];
export type Source = Schemas['SourceEntry'];
export type Destination = Schemas['DestinationEntry'];

export type Schedule = Schemas['ScheduleBody'];
export type FreshnessTarget = Schemas['FreshnessTarget'];
export type Freshness = Schemas['FreshnessEntry'];
export type FreshnessDay = Schemas['FreshnessDayEntry'];
export type Badge = Schemas['BadgeEntry'];
export type Connection = Schemas['ConnectionEntry'];
export type ConnectionAudit = Schemas['ConnectionAudit'];
export type SchemaStream = Schemas['SchemaStream'];
export type ConnectionSchema = Schemas['ConnectionSchema'];
export type SchemaField = Schemas['SchemaField'];
export type SchemaChange = Schemas['SchemaChangeEntry'];
export type DestinationAudit = Schemas['DestinationAuditEntry'];
export type ConnectionReconciliation = Schemas['ConnectionReconciliation'];
export type Reconciliation = Schemas['ReconciliationEntry'];
export type ReconciliationDifference = Schemas['ReconciliationDifference'];
export type Restatement = Schemas['RestatementEntry'];
export type RestatementPage = Schemas['RestatementPage'];
export type SettlingTimes = Schemas['SettlingTimes'];
export type AuditDifference = Schemas['AuditDifference'];
export type Backfill = Schemas['BackfillEntry'];
export type BackfillChunk = Schemas['BackfillChunkEntry'];
export type AlertPage = Schemas['AlertPage'];
export type BackfillPage = Schemas['BackfillPage'];
export type BackfillEstimate = Schemas['BackfillEstimate'];
export type NewBackfill = Schemas['BackfillBody'];
export type ReloadRequest = Schemas['ReloadBody'];
export type ConnectionPage = Schemas['ConnectionPage'];
export type NewConnection = Schemas['CreateConnectionBody'];
export type ConnectionChange = Schemas['UpdateConnectionBody'];
export type EstimateQuestion = Schemas['EstimateBody'];

export type TestQuestion = Schemas['TestConnectionBody'];
export type TestRequest = Schemas['TestRequest'];
export type TestWriteStep = Schemas['TestWriteStep'];
/** The API document cannot express rows of cells, so samples are typed here. */
export type TestSample = Omit<Schemas['TestSample'], 'rows'> & { rows: (string | null)[][] };
export type ConnectionTest = Omit<Schemas['ConnectionTest'], 'sample'> & { sample: TestSample | null };
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
export type ConversionValidation = Schemas['Validation'];
export type ConversionTest = Schemas['ConversionTest'];
export type ConversionRun = Schemas['ConversionRunEntry'];
export type ConversionRunPage = Schemas['ConversionRunPage'];
export type ConversionEvent = Schemas['ConversionEventEntry'];
export type ConversionEventDetail = Schemas['ConversionEventDetail'];
export type ConversionEventPage = Schemas['ConversionEventPage'];
export type ConversionEventState = ConversionEvent['state'];
export type ConversionFunnel = Schemas['ConversionFunnel'];

export type Payment = Schemas['PaymentEntry'];
export type PaymentPage = Schemas['PaymentPage'];
export type PaymentDestination = Schemas['PaymentDestinationEntry'];
export type NewPayment = Schemas['CreatePaymentBody'];
export type PaymentChange = Schemas['UpdatePaymentBody'];
export type PaymentEventSample = Schemas['PaymentEventSample'];
export type RecurringRevenue = Schemas['RecurringRevenueEntry'];

export type Alert = Schemas['AlertEntry'];
export type AlertState = Alert['state'];
export type NotificationRule = Schemas['NotificationRuleEntry'];
export type NewNotificationRule = Schemas['CreateRuleBody'];
export type NotificationRuleChange = Schemas['UpdateRuleBody'];
export type RuleEvent = NotificationRule['events'][number];
export type Webhook = Schemas['WebhookEndpointEntry'];
export type NewWebhook = Schemas['CreateWebhookBody'];
export type WebhookChange = Schemas['UpdateWebhookBody'];
export type WebhookDelivery = Schemas['WebhookDeliveryEntry'];

export type Coverage = Schemas['CoverageAnswer'];
export type CoverageDay = Schemas['CoverageDayEntry'];
export type DailyTotals = Schemas['DailyAnswer'];

export type RunProgress = Schemas['RunProgress'];
export type DemoTour = Schemas['DemoTour'];
export type RunSummary = Schemas['RunSummary'];
export type RunKind = RunSummary['kind'];
export type RunPage = Schemas['RunPage'];
export type Run = Schemas['RunDetail'];
export type RunSlice = Schemas['RunSliceEntry'];
export type RunProof = Schemas['RunProof'];
export type ProofAccount = Schemas['ProofAccount'];
export type ProofTotal = Schemas['ProofTotal'];
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
