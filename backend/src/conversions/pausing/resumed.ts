import { Prisma } from '../../generated/prisma/client.js';
import { READ_AGAIN } from '../run/conversion-runs.js';

/** Columns of a conversion that is active again. Earlier failures no longer count towards the automatic pause. */
export const resumed = (now: Date) =>
  ({
    desired: 'active',
    pausedAt: null,
    pausedBy: null,
    pausedReason: null,
    pausedFailure: Prisma.DbNull,
    resumedAt: now,
    ...READ_AGAIN,
  }) as const;
