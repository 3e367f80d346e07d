import { useMemo } from 'react';
import { useSWRConfig } from 'swr';
import { hasItems, keys, keysAboutConversion, keysOf } from '~/api/http/keys';
import type { Conversion, ConversionPage } from '~/api/types';
import {
  deleteConversion,
  pauseConversion,
  replayEvents,
  restoreConversion,
  resumeConversion,
  runConversion,
} from './conversions';

const withoutRequest = { revalidate: false };

const setDesired = (conversion: Conversion, id: string, desired: Conversion['desired']): Conversion =>
  conversion.id === id ? { ...conversion, desired } : conversion;

/** The actions of a conversion. Caches are updated optimistically and reset when the server rejects the change. */
export function useConversionActions(organizationId: string) {
  const { mutate } = useSWRConfig();
  return useMemo(() => {
    const lists = keysOf(organizationId, 'conversions');
    const show = (id: string, desired: Conversion['desired']) => {
      void mutate<ConversionPage>(
        lists,
        (page) => (hasItems(page) ? { ...page, items: page.items.map((item) => setDesired(item, id, desired)) } : page),
        withoutRequest,
      );
      void mutate<Conversion>(
        keys.conversion(organizationId, id),
        (conversion) => conversion && setDesired(conversion, id, desired),
        withoutRequest,
      );
    };
    const refresh = (id: string) => mutate(keysAboutConversion(organizationId, id));
    return {
      refresh,
      setActive: async ({ id, desired }: Conversion, isActive: boolean): Promise<void> => {
        show(id, isActive ? 'active' : 'paused');
        try {
          await (isActive ? resumeConversion(organizationId, id) : pauseConversion(organizationId, id));
        } catch (error) {
          show(id, desired);
          throw error;
        } finally {
          void refresh(id);
        }
      },
      run: async (id: string): Promise<void> => {
        await runConversion(organizationId, id);
        await refresh(id);
      },
      /** Returns the number of events that are sent again. */
      replay: async (id: string, body: Parameters<typeof replayEvents>[2]): Promise<number> => {
        const { events } = await replayEvents(organizationId, id, body);
        await refresh(id);
        return events;
      },
      remove: async (id: string): Promise<void> => {
        await deleteConversion(organizationId, id);
        await mutate(lists);
        await mutate(keys.conversion(organizationId, id), undefined, withoutRequest);
      },
      restore: async (id: string): Promise<void> => {
        await restoreConversion(organizationId, id);
        await mutate(lists);
      },
    };
  }, [organizationId, mutate]);
}
