import useSWR from 'swr';
import type { ScopedMutator } from 'swr';
import { client, unwrap } from '~/api/http/client';
import { keys, keysOf } from '~/api/http/keys';
import type { Estimate, EstimateQuestion } from '~/api/types';

async function estimateConnection(organizationId: string, body: EstimateQuestion): Promise<Estimate> {
  const path = { organizationId };
  const estimate = await unwrap(
    client.POST('/api/v1/organizations/{organizationId}/connections/estimate', { params: { path }, body }),
  );
  return estimate as unknown as Estimate;
}

/** Requested each time the review is opened: what a check found can have been fixed since. */
export const useEstimate = (organizationId: string, question: EstimateQuestion | null) =>
  useSWR(
    question === null ? null : keys.estimate(organizationId, question),
    ([, , requested]) => estimateConnection(organizationId, requested as EstimateQuestion),
    { revalidateOnFocus: false, revalidateOnReconnect: false, dedupingInterval: 0 },
  );

/** The volume of the streams does not depend on the schedule, so a changed schedule requests nothing. */
const WITHOUT_SCHEDULE = { schedule: { kind: 'manual', timeZone: 'UTC' } } as const;

/** The estimate while streams are chosen. It is kept until the source or the destination is changed (`forgetEstimates`). */
export const useStreamVolumes = (organizationId: string, question: EstimateQuestion | null) =>
  useSWR(
    question === null ? null : keys.streamVolumes(organizationId, { ...question, ...WITHOUT_SCHEDULE }),
    ([, , requested]) => estimateConnection(organizationId, requested as EstimateQuestion),
    { revalidateOnFocus: false, revalidateIfStale: false, shouldRetryOnError: false },
  );

/** Call after a change of a source or a destination. Estimates are requested again when they are shown next. */
export const forgetEstimates = (mutate: ScopedMutator, organizationId: string): Promise<unknown> =>
  mutate(keysOf(organizationId, 'estimate', 'streamVolumes'), undefined);
