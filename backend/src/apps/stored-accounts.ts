import type { AdAccount } from '../connectors/kit/contract.js';
import type { Prisma } from '../generated/prisma/client.js';
import { LIST_LIMITS } from '../core/http/limits.js';

/** The accounts that are stored with an app, limited to the number that the API lists. */
export const storedAccounts = (accounts: AdAccount[]): Prisma.InputJsonValue =>
  accounts.slice(0, LIST_LIMITS.adAccounts) as unknown as Prisma.InputJsonValue;
