import useSWR from 'swr';
import { loadIdentity } from '~/session/load-identity';
import type { EnrolledFactor } from './second-factor';
import { useUser } from '~/session/session-context';

/** The authenticator apps of the signed-in user, from the identity provider. */
export function useEnrolledFactors() {
  const { id } = useUser();
  return useSWR<EnrolledFactor[], unknown>(['second-factors', id], async () => {
    const identity = await loadIdentity();
    // `token` waits until the provider has restored the signed-in user.
    await identity.token();
    return (await identity.secondFactor()).list();
  });
}
