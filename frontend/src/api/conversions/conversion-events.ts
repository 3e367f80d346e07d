import useSWR from 'swr';
import { client, unwrap } from '~/api/http/client';
import { KEEP_WHILE_LOADING } from '~/api/http/keep-while-loading';
import { keys } from '~/api/http/keys';
import { useOlderPages } from '~/api/http/use-older-pages';
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
  useSWR(
    keys.conversionEvents(organizationId, conversionId, filter),
    () => listEvents(organizationId, conversionId, filter),
    KEEP_WHILE_LOADING,
  );

/** All loaded events. `useConversionEvents` refreshes the first page. */
export const useOlderEvents = (
  organizationId: string,
  conversionId: string,
  filter: EventFilter,
  first: ConversionEventPage | undefined,
) =>
  useOlderPages({
    key: keys.olderConversionEvents(organizationId, conversionId, filter),
    first,
    load: (cursor) => listEvents(organizationId, conversionId, { ...filter, cursor }),
    idOf: ({ id }) => id,
  });

export const useConversionEvent = (organizationId: string, conversionId: string, eventId: string | null) =>
  useSWR(eventId === null ? null : keys.conversionEvent(organizationId, conversionId, eventId), () =>
    getEvent(organizationId, conversionId, eventId ?? ''),
  );

export const useOrders = (organizationId: string, search: string) =>
  useSWR(keys.conversionOrders(organizationId, search), () => searchOrders(organizationId, search));
