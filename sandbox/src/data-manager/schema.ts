/**
 * Names, types and enums of an IngestEventsRequest as in google/ads/datamanager/v1 of googleapis f8291d2 (2026-08-22).
 * `*`: a list. Messages that the sandbox does not read are `unread`.
 */
const typePackage = 'google.ads.datamanager.v1';

const messageTexts = {
  IngestEventsRequest:
    'destinations:Destination* events:Event* consent:Consent validateOnly:bool encoding:Encoding encryptionInfo:unread',
  Destination:
    'reference:string loginAccount:ProductAccount linkedAccount:ProductAccount operatingAccount:ProductAccount productDestinationId:string',
  ProductAccount: 'product:Product accountId:string accountType:ProductAccount.AccountType',
  Event: `destinationReferences:string* transactionId:string eventTimestamp:timestamp lastUpdatedTimestamp:timestamp userData:UserData
    consent:Consent adIdentifiers:AdIdentifiers currency:string conversionValue:double conversionCount:double
    eventSource:EventSource eventDeviceInfo:DeviceInfo cartData:CartData customVariables:CustomVariable*
    experimentalFields:ExperimentalField* userProperties:UserProperties eventName:string clientId:string userId:string
    additionalEventParameters:EventParameter* thirdPartyUserData:UserData eventLocation:unread appInstanceId:string`,
  UserData: 'userIdentifiers:UserIdentifier*',
  UserIdentifier: 'emailAddress:string phoneNumber:string address:AddressInfo',
  AddressInfo: `givenName:string familyName:string regionCode:string postalCode:string addressLine:string city:string
    administrativeArea:string`,
  Consent: 'adUserData:ConsentStatus adPersonalization:ConsentStatus',
  AdIdentifiers: `sessionAttributes:string gclid:string gbraid:string wbraid:string landingPageDeviceInfo:DeviceInfo
    mobileDeviceId:string dclid:string impressionId:string matchId:string encryptedUserIds:unread*`,
  DeviceInfo: `userAgent:string ipAddress:string category:string languageCode:string screenHeight:int32 screenWidth:int32
    operatingSystem:string operatingSystemVersion:string model:string brand:string browser:string browserVersion:string`,
  CartData: `merchantId:string merchantFeedLabel:string merchantFeedLanguageCode:string transactionDiscount:double items:Item*
    couponCodes:string*`,
  Item: `merchantProductId:string quantity:int64 unitPrice:double itemId:string additionalItemParameters:unread* merchantId:string
    merchantFeedLabel:string merchantFeedLanguageCode:string conversionValue:double customVariables:unread*`,
  CustomVariable: 'variable:string value:string destinationReferences:string*',
  ExperimentalField: 'field:string value:string',
  EventParameter: 'parameterName:string value:string',
  UserProperties: 'customerType:CustomerType customerValueBucket:CustomerValueBucket additionalUserProperties:unread*',
} as const;

export type MessageName = keyof typeof messageTexts;

const accountTypes =
  'GOOGLE_ADS DISPLAY_VIDEO_PARTNER DISPLAY_VIDEO_ADVERTISER DATA_PARTNER GOOGLE_ANALYTICS_PROPERTY GOOGLE_AD_MANAGER_AUDIENCE_LINK FLOODLIGHT_CONFIG';

/** In the order of their numbers, which JSON may contain instead of the names. */
const enumTexts = {
  Encoding: 'ENCODING_UNSPECIFIED HEX BASE64',
  Product: 'PRODUCT_UNSPECIFIED GOOGLE_ADS DISPLAY_VIDEO_PARTNER DISPLAY_VIDEO_ADVERTISER DATA_PARTNER',
  'ProductAccount.AccountType': `ACCOUNT_TYPE_UNSPECIFIED ${accountTypes}`,
  ConsentStatus: 'CONSENT_STATUS_UNSPECIFIED CONSENT_GRANTED CONSENT_DENIED',
  EventSource: 'EVENT_SOURCE_UNSPECIFIED WEB APP IN_STORE PHONE OTHER MESSAGE',
  CustomerType: 'CUSTOMER_TYPE_UNSPECIFIED NEW RETURNING REENGAGED',
  CustomerValueBucket: 'CUSTOMER_VALUE_BUCKET_UNSPECIFIED LOW MEDIUM HIGH',
} as const;

type Scalar = 'string' | 'bool' | 'double' | 'int32' | 'int64' | 'timestamp' | 'unread';

export type FieldType =
  | { kind: 'scalar'; scalar: Scalar }
  | { kind: 'enum'; fullName: string; values: string[] }
  | { kind: 'message'; message: MessageName };

export interface Field {
  name: string;
  snakeName: string;
  isList: boolean;
  type: FieldType;
}

/** 'eventTimestamp' becomes 'event_timestamp'. */
function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function parseField(text: string): Field {
  const [name = '', typeText = ''] = text.split(':');
  const isList = typeText.endsWith('*');
  const typeName = isList ? typeText.slice(0, -1) : typeText;
  return { name, snakeName: toSnakeCase(name), isList, type: typeNamed(typeName) };
}

function typeNamed(name: string): FieldType {
  if (Object.hasOwn(messageTexts, name)) return { kind: 'message', message: name as MessageName };
  if (Object.hasOwn(enumTexts, name))
    return { kind: 'enum', fullName: `${typePackage}.${name}`, values: enumTexts[name as keyof typeof enumTexts].split(' ') };
  return { kind: 'scalar', scalar: name as Scalar };
}

const fieldsByMessage = new Map(
  Object.entries(messageTexts).map(([message, text]) => {
    const fields = text.split(/\s+/).map(parseField);
    // ProtoJSON accepts both spellings of a name.
    return [message, new Map(fields.flatMap((field) => [field.name, field.snakeName].map((name) => [name, field] as const)))];
  }),
);

export function fieldsOf(message: MessageName): ReadonlyMap<string, Field> {
  return fieldsByMessage.get(message) as Map<string, Field>;
}
