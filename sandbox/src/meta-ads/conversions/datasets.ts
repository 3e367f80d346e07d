/** The datasets (formerly pixels) of the ad accounts. Ids and names are invented. */
export interface Dataset {
  id: string;
  name: string;
  /** Its usage counts for this account. */
  ownerAccountId: string;
  /** Accounts in which it is listed. */
  accountIds: string[];
}

const list: Dataset[] = [
  {
    id: '710000000000011',
    name: 'Northwind "shop"',
    ownerAccountId: '310000000000011',
    accountIds: ['310000000000011', '310000000000012'],
  },
  {
    id: '710000000000012',
    name: 'Northwind US, stores & phone',
    ownerAccountId: '310000000000012',
    accountIds: ['310000000000012'],
  },
  { id: '710000000000013', name: '東京 shop', ownerAccountId: '310000000000013', accountIds: ['310000000000013'] },
  { id: '710000000000014', name: 'Northwind AT', ownerAccountId: '310000000000014', accountIds: ['310000000000014'] },
];

export const datasets: ReadonlyMap<string, Dataset> = new Map(list.map((one) => [one.id, one]));

export function datasetsOf(accountId: string): Dataset[] {
  return list.filter(({ accountIds }) => accountIds.includes(accountId));
}
