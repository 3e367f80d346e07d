import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { endReadCache, restoreReadCache } from '~/api/read-cache/read-cache';
import { useSession } from './session-context';

/**
 * Restores what the user saw of the organization on the last visit. False until that is done: requests that start earlier would
 * be overwritten by older data. Nothing is read before the user is known.
 */
export function useReadCache(organizationId: string | null): boolean {
  const { status, user } = useSession();
  const { cache, mutate } = useSWRConfig();
  const userId = status === 'authenticated' ? (user?.id ?? null) : null;
  const wanted = userId === null || organizationId === null ? null : `${userId} ${organizationId}`;
  const [restored, setRestored] = useState<string | null>(null);
  useEffect(() => {
    if (status === 'anonymous') void endReadCache();
  }, [status]);
  useEffect(() => {
    if (userId === null || organizationId === null) return;
    let isCurrent = true;
    const setData = (key: string, data: unknown) => void mutate(key, data, { revalidate: false });
    void restoreReadCache(userId, organizationId, { cache, setData }).then(() => {
      if (isCurrent) setRestored(`${userId} ${organizationId}`);
    });
    return () => {
      isCurrent = false;
    };
  }, [userId, organizationId, cache, mutate]);
  return wanted === null || restored === wanted;
}
