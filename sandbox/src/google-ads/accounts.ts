/** The Google users of the sandbox, their accounts and permissions. Names and numbers are invented. */

export interface Account {
  id: string;
  descriptiveName: string;
  currencyCode: string;
  timeZone: string;
  isManager: boolean;
  status: 'ENABLED' | 'CANCELED';
  /** The longest click-through conversion window of its enabled conversion actions. Conversions settle after it. */
  lookbackDays: number;
  /** The longest view-through conversion window, 1 to 30. View-through conversions settle after it. */
  viewDays: number;
  /** The smallest amount of its currency, in micros: 10,000 is a cent, 1,000,000 a yen. */
  moneyUnitMicros: number;
  /** Value of a euro in this currency, for realistic prices. */
  priceLevel: number;
  campaignCount: number;
  /** Interval in days between days without traffic; 0: never. */
  silentEveryDays: number;
  /** With cross-account conversion tracking: the manager that owns the conversion actions for uploads. */
  conversionCustomerId?: string;
  hasAcceptedCustomerDataTerms: boolean;
  hasEnhancedConversionsForLeads: boolean;
  /** Its users are in the EEA or the United Kingdom: conversions count only with consent. */
  needsConsent: boolean;
  seed: number;
}

export interface User {
  email: string;
  name: string;
  description: string;
  /** Accounts that the user can access without a manager. */
  directAccountIds: string[];
  /** Accounts in the tree whose reads are all rejected. */
  deniedAccountIds: string[];
  clientAccountIds: Record<string, string[]>;
}

const managerId = '9001000001';

function account(id: string, descriptiveName: string, overrides: Partial<Account>): Account {
  return {
    id,
    descriptiveName,
    currencyCode: 'EUR',
    timeZone: 'Europe/Berlin',
    isManager: false,
    status: 'ENABLED',
    lookbackDays: 30,
    viewDays: 1,
    moneyUnitMicros: 10_000,
    priceLevel: 1,
    campaignCount: 8,
    silentEveryDays: 0,
    hasAcceptedCustomerDataTerms: true,
    hasEnhancedConversionsForLeads: true,
    needsConsent: true,
    seed: Number(id) % 1_000_003,
    ...overrides,
  };
}

export const accounts: ReadonlyMap<string, Account> = new Map(
  [
    account(managerId, 'Northwind Group', { isManager: true, campaignCount: 0, lookbackDays: 14, needsConsent: false }),
    account('9001000011', 'Northwind DE', {}),
    account('9001000012', 'Northwind US', {
      currencyCode: 'USD',
      timeZone: 'America/New_York',
      lookbackDays: 7,
      priceLevel: 1.1,
      needsConsent: false,
    }),
    account('9001000013', 'Northwind JP', {
      currencyCode: 'JPY',
      timeZone: 'Asia/Tokyo',
      lookbackDays: 14,
      viewDays: 21,
      moneyUnitMicros: 1_000_000,
      priceLevel: 160,
      silentEveryDays: 45,
      conversionCustomerId: managerId,
      needsConsent: false,
    }),
    account('9001000014', 'Northwind AT (closed)', { status: 'CANCELED', timeZone: 'Europe/Vienna' }),
    account('9001000020', 'Northwind Outlet', {
      currencyCode: 'GBP',
      timeZone: 'Europe/London',
      priceLevel: 0.85,
      hasEnhancedConversionsForLeads: false,
    }),
    account('9009000001', 'Northwind Load Test', {
      campaignCount: 212,
      hasAcceptedCustomerDataTerms: false,
      hasEnhancedConversionsForLeads: false,
    }),
  ].map((one) => [one.id, one]),
);

const northwindClients = ['9001000011', '9001000012', '9001000013'];

const userList: User[] = [
  {
    email: 'demo@example.com',
    name: 'Demo',
    description: 'A manager with three client accounts, and one account of its own',
    directAccountIds: [managerId, '9001000020'],
    deniedAccountIds: [],
    clientAccountIds: { [managerId]: northwindClients },
  },
  {
    email: 'limited@example.com',
    name: 'Limited',
    description: 'The same manager; access to one account is forbidden, one is closed',
    directAccountIds: [managerId],
    deniedAccountIds: ['9001000012'],
    clientAccountIds: { [managerId]: [...northwindClients, '9001000014'] },
  },
  {
    email: 'nobody@example.com',
    name: 'Nobody',
    description: 'No Google Ads account at all',
    directAccountIds: [],
    deniedAccountIds: [],
    clientAccountIds: {},
  },
  {
    email: 'bench@example.com',
    name: 'Bench',
    description: 'One account with about 1,000 campaign rows a day',
    directAccountIds: ['9009000001'],
    deniedAccountIds: [],
    clientAccountIds: {},
  },
];

export const users: ReadonlyMap<string, User> = new Map(userList.map((one) => [one.email, one]));
