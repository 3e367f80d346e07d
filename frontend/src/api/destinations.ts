import useSWR from 'swr';
import { allPages, PAGE_SIZE } from './http/all-pages';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { components } from './schema';

type Schemas = components['schemas'];

export const listDestinations = (organizationId: string) =>
  allPages((cursor) =>
    unwrap(
      client.GET('/api/v1/organizations/{organizationId}/destinations', {
        params: { path: { organizationId }, query: { limit: PAGE_SIZE, cursor } },
      }),
    ),
  );

const at = (organizationId: string, destinationId: string) => ({ params: { path: { organizationId, destinationId } } });

const getDestination = (organizationId: string, destinationId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/destinations/{destinationId}', at(organizationId, destinationId)));

/** Checks settings without saving them. */
export const checkSettings = (organizationId: string, body: Schemas['CheckDestinationBody']) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/destinations/check', { params: { path: { organizationId } }, body }),
  );

export const createDestination = (organizationId: string, body: Schemas['CreateDestinationBody']) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/destinations', { params: { path: { organizationId } }, body }));

export const updateDestination = (organizationId: string, destinationId: string, body: Schemas['UpdateDestinationBody']) =>
  unwrap(
    client.PATCH('/api/v1/organizations/{organizationId}/destinations/{destinationId}', {
      ...at(organizationId, destinationId),
      body,
    }),
  );

export const deleteDestination = (organizationId: string, destinationId: string) =>
  unwrap(client.DELETE('/api/v1/organizations/{organizationId}/destinations/{destinationId}', at(organizationId, destinationId)));

export const restoreDestination = (organizationId: string, destinationId: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/destinations/{destinationId}/restore', at(organizationId, destinationId)),
  );

export const checkDestination = (organizationId: string, destinationId: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/destinations/{destinationId}/check', at(organizationId, destinationId)),
  );

/** Sends one test event with a separate name, for destinations that receive events. */
export const sendTestEvent = (organizationId: string, destinationId: string) =>
  unwrap(
    client.POST(
      '/api/v1/organizations/{organizationId}/destinations/{destinationId}/test-event',
      at(organizationId, destinationId),
    ),
  );

const listTables = (organizationId: string, destinationId: string) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/destinations/{destinationId}/tables', at(organizationId, destinationId)),
  );

export const useDestinationTables = (organizationId: string, destinationId: string) =>
  useSWR(keys.destinationTables(organizationId, destinationId), () => listTables(organizationId, destinationId));

export const useDestinations = (organizationId: string) =>
  useSWR(keys.destinations(organizationId), () => listDestinations(organizationId));

export const useDestination = (organizationId: string, destinationId: string | null) =>
  useSWR(destinationId === null ? null : keys.destination(organizationId, destinationId), () =>
    getDestination(organizationId, destinationId ?? ''),
  );
