/** Requests of the Data Manager API after `readRequest`: known names only, numbers as numbers. */
export interface ProductAccount {
  product?: string;
  accountId?: string;
  accountType?: string;
}

export interface Destination {
  reference?: string;
  loginAccount?: ProductAccount;
  linkedAccount?: ProductAccount;
  operatingAccount?: ProductAccount;
  productDestinationId?: string;
}

export interface UserIdentifier {
  emailAddress?: string;
  phoneNumber?: string;
  address?: { givenName?: string; familyName?: string; regionCode?: string; postalCode?: string };
}

export interface UserData {
  userIdentifiers?: UserIdentifier[];
}

export interface Consent {
  adUserData?: string;
  adPersonalization?: string;
}

export interface AdIdentifiers {
  gclid?: string;
  gbraid?: string;
  wbraid?: string;
  sessionAttributes?: string;
  landingPageDeviceInfo?: { ipAddress?: string };
}

export interface IngestEvent {
  destinationReferences?: string[];
  transactionId?: string;
  eventTimestamp?: string;
  userData?: UserData;
  thirdPartyUserData?: UserData;
  consent?: Consent;
  adIdentifiers?: AdIdentifiers;
  currency?: string;
  conversionValue?: number;
  conversionCount?: number;
  eventSource?: string;
  eventDeviceInfo?: { ipAddress?: string };
  cartData?: { items?: object[] };
  customVariables?: { variable?: string; value?: string }[];
}

export interface IngestRequest {
  destinations?: Destination[];
  events?: IngestEvent[];
  consent?: Consent;
  validateOnly?: boolean;
  encoding?: string;
  encryptionInfo?: object;
}
