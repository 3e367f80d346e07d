import useSWR from 'swr';
import useSWRInfinite from 'swr/infinite';
import { client, unwrap } from '~/api/http/client';
import { keys } from '~/api/http/keys';
import type { ConversionEventPage, ConversionEventState } from '~/api/types';

const one = '/api/v1/organizations/{organizationId}/conversions/{conversionId}';

export interface EventFilter {
  state?: ConversionEventState;
  /** A complete order ID, click ID or event ID. */
  search?: string;
}

const listEvents = (organizationId: string, conversionId: string, query: EventFilter & { cursor?: string }) =>
  unwrap(client.GET(`${one}/events`, { params: { path: { organizationId, conversionId }, query: { ...query, limit: 50 } } }));

const getEvent = (organizationId: string, conversionId: string, eventId: string) =>
  unwrap(client.GET(`${one}/events/{eventId}`, { params: { path: { organizationId, conversionId, eventId } } }));

const getFunnel = (organizationId: string, conversionId: string) =>
  unwrap(client.GET(`${one}/funnel`, { params: { path: { organizationId, conversionId } } }));

const searchOrders = (organizationId: string, search: string) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/conversion-orders', {
      params: { path: { organizationId }, query: { search } },
    }),
  );

export const useFunnel = (organizationId: string, conversionId: string) =>
  useSWR(keys.conversionFunnel(organizationId, conversionId), () => getFunnel(organizationId, conversionId));

export const useConversionEvents = (organizationId: string, conversionId: string, filter: EventFilter) =>
  useSWR(keys.conversionEvents(organizationId, conversionId, filter), () => listEvents(organizationId, conversionId, filter), {
    keepPreviousData: true,
  });

/** The pages after the first page, which `useConversionEvents` refreshes. */
export const useOlderEvents = (organizationId: string, conversionId: string, filter: EventFilter, firstCursor: string | null) =>
  useSWRInfinite(
    (index, previous: ConversionEventPage | null) => {
      const cursor = index === 0 ? firstCursor : (previous?.nextCursor ?? null);
      return cursor === null ? null : (['older-conversion-events', organizationId, conversionId, filter, cursor] as const);
    },
    ([, , , , cursor]) => listEvents(organizationId, conversionId, { ...filter, cursor }),
    { initialSize: 0, revalidateFirstPage: false },
  );

export const useConversionEvent = (organizationId: string, conversionId: string, eventId: string | null) =>
  useSWR(eventId === null ? null : keys.conversionEvent(organizationId, conversionId, eventId), () =>
    getEvent(organizationId, conversionId, eventId ?? ''),
  );

export const useOrders = (organizationId: string, search: string) =>
  useSWR(keys.conversionOrders(organizationId, search), () => searchOrders(organizationId, search));
