import { z } from 'zod';
import type { AdAccount } from '../connectors/kit/contract.js';
import { presentTimeZone } from '../connectors/kit/time-zones.js';
import type { Prisma } from '../generated/prisma/client.js';
import { jsonColumn } from '../core/database/json-column.js';
import { LIST_LIMITS } from '../core/http/limits.js';

/** `apps.accounts`. Older versions did not store all fields. */
export const accountsColumn = jsonColumn<AdAccount[]>(
  z.array(
    z.object({
      externalId: z.string(),
      name: z.string(),
      currency: z.string(),
      timeZone: z.string(),
      managerId: z.string().nullable().default(null),
      managerName: z.string().nullable().default(null),
      status: z.enum(['enabled', 'disabled', 'closed']).default('enabled'),
      problem: z.string().optional(),
    }),
  ),
);

/** The accounts that are stored with an app, limited to the number that the API lists. Some platforms use former names of time zones. */
export const storedAccounts = (accounts: AdAccount[]): Prisma.InputJsonValue =>
  accountsColumn.write(
    accounts.slice(0, LIST_LIMITS.adAccounts).map((account) => ({ ...account, timeZone: presentTimeZone(account.timeZone) })),
  );
