import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { keys } from '~/api/http/keys';
import type { Subscription } from '~/api/types';
import { useOrganization } from './organization-context';

/** Reloads the organization's document, which the guard reads, when it differs from the newer subscription. */
export function useAccessRefresh(subscription: Subscription | undefined): void {
  const { id, status, document } = useOrganization();
  const { mutate } = useSWRConfig();
  const known = document?.subscription?.access ?? 'closed';
  const isBehind = subscription !== undefined && (status === 'failed' || (document !== null && subscription.access !== known));
  useEffect(() => {
    if (isBehind) void mutate(keys.document(id));
  }, [isBehind, id, mutate]);
}
