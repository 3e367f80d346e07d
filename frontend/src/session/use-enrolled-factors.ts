import useSWR from 'swr';
import { loadIdentity } from './load-identity';
import type { EnrolledFactor } from './second-factor';
import { useUser } from './session-context';

/** The authenticator apps of the signed-in person, as the identity provider knows them. */
export function useEnrolledFactors() {
  const { id } = useUser();
  return useSWR<EnrolledFactor[], unknown>(['second-factors', id], async () => {
    const identity = await loadIdentity();
    // Waits until the provider has read who is signed in.
    await identity.token();
    return (await identity.secondFactor()).list();
  });
}
