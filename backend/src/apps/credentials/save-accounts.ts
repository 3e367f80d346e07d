import type { Connectors } from '../../catalog/index.js';
import type { AdAccount } from '../../connectors/kit/contract.js';
import type { TenantWork } from '../../core/database/tenant-database.js';
import type { DomainEvents } from '../../core/jobs/domain-events.js';
import type { App } from '../../generated/prisma/client.js';
import { accountsColumn, storedAccounts } from '../stored-accounts.js';

// SQL: locks the app's row.

/** A whole list of the accounts of an app. */
interface AccountList {
  listedAt: Date;
  /** The app's `accountsListedAt` when this list was requested. Absent: it replaces any list. */
  replaces?: Date | null;
}

/**
 * Stores a list of accounts. An app with a key keeps the known ones, and what reads all its accounts learns of the list. A list
 * that was stored after this one was requested is kept: it may belong to a newer sign-in.
 * @param list absent: the list is not a whole one
 */
export async function saveAccountsWithin(
  { transaction, query }: TenantWork,
  { connectors, events }: { connectors: Connectors; events: DomainEvents },
  { organizationId, id }: Pick<App, 'organizationId' | 'id'>,
  listed: AdAccount[],
  list?: AccountList,
): Promise<void> {
  // Two lists at once would lose an account that only one of them has.
  await query('select id from apps where organization_id = $1 and id = $2::uuid for no key update', [id]);
  const app = await transaction.app.findFirst({ where: { id, deletedAt: null } });
  if (!app) return;
  if (list?.replaces !== undefined && list.replaces?.getTime() !== app.accountsListedAt?.getTime()) return;
  const keySource = connectors.findKeySource(app.provider);
  const accounts = keySource?.mergeAccounts(accountsColumn.get(app.accounts), listed) ?? listed;
  const data = { accounts: storedAccounts(accounts), ...(list && { accountsListedAt: list.listedAt }) };
  await transaction.app.updateMany({ where: { id }, data });
  if (keySource) await events.emit(query, 'app.accounts_listed', { organizationId, appId: id }, id);
}
