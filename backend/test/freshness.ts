import { randomUUID } from 'node:crypto';
import { Database } from '../src/core/database/database.js';
import type { TestApp } from './app.js';
import type { Connection, Organization } from './factories.js';

export interface TestAccount {
  id: string;
  name: string;
  timeZone: string;
}

export const BERLIN: TestAccount = { id: 'berlin', name: 'Northwind DE', timeZone: 'Europe/Berlin' };
export const LOS_ANGELES: TestAccount = { id: 'los-angeles', name: 'Northwind US', timeZone: 'America/Los_Angeles' };
export const AUCKLAND: TestAccount = { id: 'auckland', name: 'Northwind NZ', timeZone: 'Pacific/Auckland' };

/** A connection without a platform: its days are added by `readDays`. */
export async function aStoredConnection(
  app: TestApp,
  organization: Organization,
  accounts: TestAccount[],
  { streams = ['campaign_daily'], historyFrom = '2026-01-01', name = 'Search' } = {},
): Promise<Connection> {
  const { prisma } = app.get(Database);
  const common = { organizationId: organization.id, createdBy: organization.owner.uid };
  const [appId, writerId, sourceId, destinationId, id] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await prisma.app.createMany({
    data: [
      {
        ...common,
        id: appId,
        provider: 'google_ads',
        displayName: 'Google Ads of Northwind',
        authMode: 'oauth2',
        state: 'connected',
        accounts: accounts.map((account) => ({
          externalId: account.id,
          name: account.name,
          currency: 'EUR',
          timeZone: account.timeZone,
          managerId: null,
          status: 'enabled',
        })),
      },
      { ...common, id: writerId, provider: 'postgresql', displayName: 'Login', authMode: 'password', state: 'connected' },
    ],
  });
  await prisma.source.create({
    data: { ...common, id: sourceId, appId, name: 'Search', accountIds: accounts.map((account) => account.id) },
  });
  const settings = {
    host: 'w.example.com',
    port: 5432,
    database: 'd',
    schema: 's',
    user: 'u',
    sslMode: 'require',
    tablePrefix: '',
  };
  await prisma.destination.create({ data: { ...common, id: destinationId, appId: writerId, name: 'Warehouse', settings } });
  await prisma.connection.create({
    data: {
      ...common,
      id,
      sourceId,
      destinationId,
      name,
      streams,
      schedule: { kind: 'manual', timeZone: 'UTC' },
      historyFrom: new Date(`${historyFrom}T00:00:00.000Z`),
    },
  });
  return { id, path: `${organization.path}/connections/${id}` };
}

/** The days of an account were read and verified at `readAt`. */
export const readDays = (
  app: TestApp,
  connection: Connection,
  { accountId, days, readAt, stream = 'campaign_daily' }: { accountId: string; days: string[]; readAt: string; stream?: string },
) =>
  app.database.query(
    `insert into coverage (organization_id, connection_id, stream, account_id, day, state, last_verified_at)
     select organization_id, id, $2, $3, day, 'provisional', $5::timestamptz
       from connections, unnest($4::date[]) day where id = $1
     on conflict (organization_id, connection_id, stream, account_id, day) do update
        set state = excluded.state, last_verified_at = excluded.last_verified_at`,
    [connection.id, stream, accountId, days, readAt],
  );
