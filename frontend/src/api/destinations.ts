import useSWR from 'swr';
import { keys } from './keys';
import { request } from './request';
import type { CheckItem, Destination, Page, Provider } from './types';

const root = (organizationId: string) => `/api/v1/organizations/${organizationId}/destinations`;

export interface DestinationInput {
  provider: Provider;
  settings: object;
  credentials: object;
}

export const listDestinations = (organizationId: string) =>
  request<Page<Destination>>('GET', root(organizationId), { query: { limit: 100 } });

/** Tries settings without saving them. */
export const checkSettings = (organizationId: string, body: DestinationInput) =>
  request<{ isPassed: boolean; items: CheckItem[] }>('POST', `${root(organizationId)}/check`, { body });

export const createDestination = (organizationId: string, body: DestinationInput & { name: string }) =>
  request<Destination>('POST', root(organizationId), { body });

export interface DestinationChange {
  name?: string;
  settings?: object;
  credentials?: object;
  version: number;
}

export const updateDestination = (organizationId: string, id: string, body: DestinationChange) =>
  request<Destination>('PATCH', `${root(organizationId)}/${id}`, { body });

export const deleteDestination = (organizationId: string, id: string) => request<null>('DELETE', `${root(organizationId)}/${id}`);

export const checkDestination = (organizationId: string, id: string) =>
  request<Destination>('POST', `${root(organizationId)}/${id}/check`);

export const useDestinations = (organizationId: string) =>
  useSWR(keys.destinations(organizationId), () => listDestinations(organizationId));

export const useDestination = (organizationId: string, id: string | null) =>
  useSWR(id === null ? null : keys.destination(organizationId, id), () =>
    request<Destination>('GET', `${root(organizationId)}/${id}`),
  );
