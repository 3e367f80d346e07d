import { accounts, type User } from '../google-ads/accounts.ts';
import { findConversionAction, type ConversionAction } from '../google-ads/conversion-actions.ts';
import { canReach } from './access.ts';
import { invalidArgument, missing, permissionDenied, type FieldViolation } from './errors.ts';
import { eventFormatProblems } from './validate-event.ts';
import type { Destination, IngestEvent, IngestRequest, ProductAccount } from './types.ts';

const maximumDestinations = 10;
const maximumEvents = 2_000;

/** A destination whose conversion action was found. */
export interface Target {
  destination: Destination;
  customerId: string;
  action: ConversionAction;
}

export interface ValidRequest {
  request: IngestRequest;
  events: IngestEvent[];
  targets: Target[];
}

/**
 * Rejects the whole request if anything in it is invalid. Formats are checked first, then the permission, then the conversion
 * actions, then what they require of each event. Google does not publish the order.
 */
export function validate(request: IngestRequest, user: User, now: number): ValidRequest {
  const { destinations = [], events = [] } = request;
  refuse([...requestProblems(request), ...destinations.flatMap(destinationProblems)]);
  refuse(events.flatMap((event, index) => eventFormatProblems(event, index, request, now)));
  if (!destinations.every((destination) => isReachable(user, destination))) throw permissionDenied();
  refuse(destinations.flatMap(actionProblems));
  const targets = destinations.map((destination) => ({
    destination,
    customerId: destination.operatingAccount?.accountId as string,
    action: findConversionAction(destination.productDestinationId as string) as ConversionAction,
  }));
  refuse(events.flatMap((event, index) => targetsOf(event, targets).flatMap((target) => targetProblems(event, index, target))));
  // validateOnly does not notice such ids.
  if (!request.validateOnly) refuse(events.flatMap(transactionIdProblems));
  return { request, events, targets };
}

/** Without references an event is sent to all destinations. */
export function targetsOf({ destinationReferences = [] }: IngestEvent, targets: Target[]): Target[] {
  if (destinationReferences.length === 0) return targets;
  return targets.filter(({ destination: { reference } }) => reference && destinationReferences.includes(reference));
}

function refuse(violations: FieldViolation[]): void {
  if (violations.length > 0) throw invalidArgument(violations);
}

function requestProblems({ destinations = [], events = [], encoding, encryptionInfo }: IngestRequest): FieldViolation[] {
  const problems: FieldViolation[] = [];
  const add = (field: string, reason: string, description: string): number => problems.push({ field, description, reason });
  if (destinations.length === 0) problems.push(missing('destinations'));
  if (events.length === 0) problems.push(missing('events'));
  if (destinations.length > maximumDestinations)
    add('destinations', 'TOO_MANY_DESTINATIONS', 'Maximum number of destinations allowed per request is 10.');
  if (events.length > maximumEvents)
    add('events.events', 'TOO_MANY_EVENTS', 'Maximum number of events allowed per request is 2,000.');
  const hasUserData = events.some(({ userData }) => userData);
  if (hasUserData && !['HEX', 'BASE64'].includes(encoding ?? '')) problems.push(missing('encoding'));
  if (encryptionInfo) add('encryption_info', 'INVALID_ARGUMENT', 'The sandbox does not simulate encryption.');
  const references = destinations.map(({ reference }) => reference);
  for (const [index, reference] of references.entries()) {
    if (reference && references.indexOf(reference) !== index)
      add(
        `destinations[${index}].reference`,
        'DUPLICATE_DESTINATION_REFERENCE',
        'Two or more destinations in the request have the same reference.',
      );
  }
  return problems;
}

function destinationProblems(destination: Destination, index: number): FieldViolation[] {
  const path = `destinations[${index}]`;
  const { operatingAccount, loginAccount, linkedAccount, productDestinationId } = destination;
  return [
    ...(operatingAccount
      ? accountProblems(operatingAccount, `${path}.operating_account`)
      : [missing(`${path}.operating_account`)]),
    ...(loginAccount ? accountProblems(loginAccount, `${path}.login_account`) : []),
    ...(linkedAccount
      ? [
          {
            field: `${path}.linked_account`,
            description: 'Linked account is only supported when the login account is a `DATA_PARTNER` account.',
            reason: 'LINKED_ACCOUNT_ONLY_ALLOWED_WITH_DATA_PARTNER_LOGIN_ACCOUNT',
          },
        ]
      : []),
    ...numberProblems(productDestinationId, `${path}.product_destination_id`),
  ];
}

/** All accounts of the sandbox are Google Ads accounts. */
function accountProblems({ accountType, product, accountId }: ProductAccount, path: string): FieldViolation[] {
  const type = accountType ?? product;
  const problems = numberProblems(accountId, `${path}.account_id`);
  if (!type) return [...problems, missing(`${path}.account_type`)];
  const isSame = !product || !accountType || product === accountType;
  if (/_UNSPECIFIED$/.test(type) || !isSame) {
    const description = 'Enum value cannot be used.';
    return [...problems, { field: `${path}.account_type`, description, reason: 'INVALID_ENUM_VALUE' }];
  }
  if (type === 'GOOGLE_ADS') return problems;
  const description = 'The destination account type does not match the specified account id.';
  return [...problems, { field: `${path}.account_type`, description, reason: 'DESTINATION_ACCOUNT_TYPE_MISMATCH' }];
}

function numberProblems(value: string | undefined, field: string): FieldViolation[] {
  if (!value) return [missing(field)];
  return /^\d+$/.test(value) ? [] : [{ field, description: 'String is not a valid number.', reason: 'INVALID_NUMBER_FORMAT' }];
}

function isReachable(user: User, { operatingAccount, loginAccount }: Destination): boolean {
  const operatingId = operatingAccount?.accountId ?? '';
  return canReach(user, loginAccount?.accountId ?? operatingId, operatingId);
}

/** The operating account must own the action: with cross-account conversion tracking it is the manager. */
function actionProblems({ operatingAccount, productDestinationId = '' }: Destination, index: number): FieldViolation[] {
  const field = `destinations[${index}].product_destination_id`;
  const action = findConversionAction(productDestinationId);
  if (!action || action.ownerId !== operatingAccount?.accountId || action.status !== 'ENABLED')
    return [{ field, description: 'Conversion action ID is not valid.', reason: 'INVALID_CONVERSION_ACTION_ID' }];
  if (action.type === 'AD_CALL')
    return [{ field, description: 'The conversion action type is not valid.', reason: 'INVALID_CONVERSION_ACTION_TYPE' }];
  return [];
}

/** What the conversion action and its account require of an event. */
function targetProblems(event: IngestEvent, index: number, { action, customerId }: Target): FieldViolation[] {
  const path = `events.events[${index}]`;
  const problems: FieldViolation[] = [];
  const add = (field: string, reason: string, description: string): number =>
    problems.push({ field: `${path}.${field}`, description, reason });
  if (action.type === 'WEBPAGE' && !event.transactionId) problems.push(missing(`${path}.transaction_id`));
  if (action.type === 'WEBPAGE' && event.eventSource && event.eventSource !== 'WEB') {
    const description = 'The event source type does not match the destination type.';
    add('event_source', 'EVENT_SOURCE_AND_DESTINATION_MISMATCH', description);
  }
  if (action.type === 'UPLOAD_CLICKS' && !event.eventSource) problems.push(missing(`${path}.event_source`));
  const account = accounts.get(customerId);
  if (!event.userData || !account) return problems;
  if (!account.hasAcceptedCustomerDataTerms)
    add(
      'destination_references[0]',
      'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED',
      "The destination account hasn't agreed to the terms for enhanced conversions.",
    );
  else if (!account.hasEnhancedConversionsForLeads && action.type === 'UPLOAD_CLICKS')
    add(
      'destination_references[0]',
      'DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS',
      'The destination account is not enabled for enhanced conversions for leads.',
    );
  return problems;
}

function transactionIdProblems({ transactionId }: IngestEvent, index: number): FieldViolation[] {
  if (!transactionId || !/^\d+$/.test(transactionId)) return [];
  return [{ field: `events[${index}]`, description: 'This event is not valid.', reason: 'INVALID_EVENT' }];
}
