/** The Meta users of the sandbox and their ad accounts. Names and numbers are invented. */

export interface Account {
  /** Without `act_`. */
  id: string;
  name: string;
  currency: string;
  timeZone: string;
  /** 1 active, 2 disabled, 100 pending closure, 101 closed: numbers of the AdAccount node. */
  status: 1 | 2 | 100 | 101;
  business: { id: string; name: string } | null;
  /** The smallest amount of its currency, in micros: 10,000 is a cent, 1,000,000 a yen. */
  moneyUnitMicros: number;
  /** Value of a euro in this currency, for realistic prices. */
  priceLevel: number;
  /** Countries in which its ads are shown, the largest first. */
  countries: readonly [string, string, string];
  /** Interval in days between days without traffic; 0: never. */
  silentEveryDays: number;
  seed: number;
}

export const languages = ['en', 'es', 'fr', 'it', 'pt'] as const;
export type Language = (typeof languages)[number];

export interface User {
  email: string;
  name: string;
  description: string;
  /** The language of `error_user_title` and `error_user_msg`. */
  language: Language;
  accountIds: string[];
  /** Listed accounts whose reads are all rejected. */
  deniedAccountIds: string[];
}

const northwind = { id: '880000000000001', name: 'Northwind Group' };

function account(id: string, name: string, overrides: Partial<Account>): Account {
  return {
    id,
    name,
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    status: 1,
    business: northwind,
    moneyUnitMicros: 10_000,
    priceLevel: 1,
    countries: ['DE', 'AT', 'CH'],
    silentEveryDays: 0,
    seed: Number(id) % 1_000_003,
    ...overrides,
  };
}

export const accounts: ReadonlyMap<string, Account> = new Map(
  [
    account('310000000000011', 'Northwind DE', {}),
    account('310000000000012', 'Northwind US', {
      currency: 'USD',
      timeZone: 'America/New_York',
      priceLevel: 1.1,
      countries: ['US', 'CA', 'MX'],
    }),
    account('310000000000013', 'Northwind JP', {
      currency: 'JPY',
      timeZone: 'Asia/Tokyo',
      moneyUnitMicros: 1_000_000,
      priceLevel: 160,
      countries: ['JP', 'TW', 'KR'],
      silentEveryDays: 45,
    }),
    account('310000000000014', 'Northwind AT (closed)', { status: 101, timeZone: 'Europe/Vienna' }),
    account('310000000000020', 'Northwind Outlet', {
      currency: 'GBP',
      timeZone: 'Europe/London',
      priceLevel: 0.85,
      business: null,
      countries: ['GB', 'IE', 'FR'],
    }),
  ].map((one) => [one.id, one]),
);

const userList: User[] = [
  {
    email: 'demo@example.com',
    name: 'Demo',
    description: 'Three accounts of a business and one of its own',
    language: 'fr',
    accountIds: ['310000000000011', '310000000000012', '310000000000013', '310000000000020'],
    deniedAccountIds: [],
  },
  {
    email: 'limited@example.com',
    name: 'Limited',
    description: 'Three accounts; access to one is forbidden, one is closed',
    language: 'pt',
    accountIds: ['310000000000011', '310000000000012', '310000000000014'],
    deniedAccountIds: ['310000000000012'],
  },
  {
    email: 'nobody@example.com',
    name: 'Nobody',
    description: 'No ad account at all',
    language: 'en',
    accountIds: [],
    deniedAccountIds: [],
  },
];

export const users: ReadonlyMap<string, User> = new Map(userList.map((one) => [one.email, one]));
