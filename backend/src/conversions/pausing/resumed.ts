import { Prisma } from '../../generated/prisma/client.js';

/** Columns of a conversion that is active again. Earlier failures no longer count towards the automatic pause. */
export const resumed = (now: Date) =>
  ({
    desired: 'active',
    pausedAt: null,
    pausedBy: null,
    pausedReason: null,
    pausedFailure: Prisma.DbNull,
    resumedAt: now,
  }) as const;
