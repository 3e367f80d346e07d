/** The Microsoft users of the sandbox, their ad accounts and permissions. Names and numbers are invented. */

export interface Account {
  id: string;
  name: string;
  number: string;
  /** The customer (manager) that owns the account. The CustomerId header must contain it. */
  customerId: string;
  currencyCode: string;
  /** Name in Customer Management, see `time-zones.ts`. */
  timeZone: string;
  lifeCycleStatus: 'Active' | 'Inactive';
  /** Conversion window of its purchase goal. Days settle after it. */
  conversionWindowMinutes: number;
  /** The smallest amount of its currency, in micros: 10,000 is a cent, 1,000,000 a yen. */
  moneyUnitMicros: number;
  /** Value of a euro in this currency, for realistic prices. */
  priceLevel: number;
  campaignCount: number;
  /** Interval in days between days without traffic; 0: never. */
  silentEveryDays: number;
  seed: number;
}

export interface User {
  email: string;
  /** The user name in Microsoft Advertising; never the email address. */
  id: string;
  description: string;
  accountIds: string[];
  /** Listed accounts whose reads are all rejected. */
  deniedAccountIds: string[];
  /** A Microsoft account that was never used with Microsoft Advertising: it can sign in, and every call is rejected. */
  isUnknown?: boolean;
}

export const customerNames: Readonly<Record<string, string>> = {
  '160100001': 'Northwind Group',
  '160100002': 'Northwind Outlet Ltd',
  '160100003': 'Northwind Franchise',
};

const minutesPerDay = 24 * 60;
const agencySize = 130;

function account(id: string, name: string, overrides: Partial<Account>): Account {
  return {
    id,
    name,
    number: `F1${id.slice(-6)}`,
    customerId: '160100001',
    currencyCode: 'EUR',
    timeZone: 'AmsterdamBerlinBernRomeStockholmVienna',
    lifeCycleStatus: 'Active',
    conversionWindowMinutes: 30 * minutesPerDay,
    moneyUnitMicros: 10_000,
    priceLevel: 1,
    campaignCount: 6,
    silentEveryDays: 0,
    seed: Number(id) % 1_000_003,
    ...overrides,
  };
}

const yen = { currencyCode: 'JPY', moneyUnitMicros: 1_000_000, priceLevel: 160 };
const franchises = Array.from({ length: agencySize }, (_, index) =>
  account(`18070${String(index + 1).padStart(4, '0')}`, `Northwind Franchise ${index + 1}`, {
    customerId: '160100003',
    campaignCount: 1,
  }),
);

export const accounts: ReadonlyMap<string, Account> = new Map(
  [
    account('180500011', 'Northwind DE', {}),
    account('180500012', 'Northwind US', {
      currencyCode: 'USD',
      timeZone: 'EasternTimeUSCanada',
      conversionWindowMinutes: 7 * minutesPerDay,
      priceLevel: 1.1,
    }),
    account('180500013', 'Northwind JP', {
      ...yen,
      timeZone: 'OsakaSapporoTokyo',
      conversionWindowMinutes: 90 * minutesPerDay,
      silentEveryDays: 45,
    }),
    account('180500014', 'Northwind AT (closed)', { lifeCycleStatus: 'Inactive' }),
    // The reporting service has another name for this zone than Customer Management.
    account('180500015', 'Northwind NC', { timeZone: 'SolomonIslandNewCaledonia', currencyCode: 'AUD', priceLevel: 1.6 }),
    // Same as above.
    account('180500016', 'Northwind PK', { timeZone: 'IslamabadKarachiTashkent', currencyCode: 'USD', priceLevel: 1.1 }),
    account('180500020', 'Northwind Outlet', {
      customerId: '160100002',
      currencyCode: 'GBP',
      timeZone: 'GreenwichMeanTimeDublinEdinburghLisbonLondon',
      conversionWindowMinutes: 45 * minutesPerDay,
      priceLevel: 0.85,
    }),
    ...franchises,
  ].map((one) => [one.id, one]),
);

const userList: User[] = [
  {
    email: 'demo@example.com',
    id: '170900001',
    description: 'Five accounts of two customers, in five currencies and time zones',
    accountIds: ['180500011', '180500012', '180500013', '180500015', '180500020'],
    deniedAccountIds: [],
  },
  {
    email: 'limited@example.com',
    id: '170900002',
    description: 'Three accounts; one is forbidden, one is closed',
    accountIds: ['180500011', '180500012', '180500014'],
    deniedAccountIds: ['180500012'],
  },
  {
    email: 'agency@example.com',
    id: '170900003',
    description: `${agencySize} small accounts`,
    accountIds: franchises.map(({ id }) => id),
    deniedAccountIds: [],
  },
  {
    email: 'karachi@example.com',
    id: '170900005',
    description: 'One account in Karachi, whose time zone the Reporting service spells differently',
    accountIds: ['180500016'],
    deniedAccountIds: [],
  },
  {
    email: 'nobody@example.com',
    id: '170900004',
    description: 'No ad account at all',
    accountIds: [],
    deniedAccountIds: [],
  },
  {
    email: 'private@example.com',
    id: '170900006',
    description: 'A Microsoft account without Microsoft Advertising',
    accountIds: [],
    deniedAccountIds: [],
    isUnknown: true,
  },
];

export const users: ReadonlyMap<string, User> = new Map(userList.map((one) => [one.email, one]));
