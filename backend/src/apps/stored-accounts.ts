import type { AdAccount } from '../connectors/kit/contract.js';
import type { Prisma } from '../generated/prisma/client.js';
import { LIST_LIMITS } from '../platform/limits.js';

/** Accounts as an app keeps them: the first ones of a platform that lists more than any list here shows. */
export const storedAccounts = (accounts: AdAccount[]): Prisma.InputJsonValue =>
  accounts.slice(0, LIST_LIMITS.adAccounts) as unknown as Prisma.InputJsonValue;
