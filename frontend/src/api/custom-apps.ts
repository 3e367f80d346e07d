import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { components } from './schema';
import type { SubmissionChange } from './types';

const at = (organizationId: string, appId: string) => ({ params: { path: { organizationId, appId } } });

const getSubmission = (organizationId: string, appId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/apps/{appId}/submission', at(organizationId, appId)));

export const updateSubmission = (organizationId: string, appId: string, body: SubmissionChange) =>
  unwrap(client.PATCH('/api/v1/organizations/{organizationId}/apps/{appId}/submission', { ...at(organizationId, appId), body }));

/** Submits the draft. It cannot be changed afterwards. */
export const submitSubmission = (organizationId: string, appId: string, version: number) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/submission/submit', {
      ...at(organizationId, appId),
      body: { version },
    }),
  );

const getPushEndpoint = (organizationId: string, appId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/apps/{appId}/push', at(organizationId, appId)));

export const updatePushEndpoint = (
  organizationId: string,
  appId: string,
  body: components['schemas']['UpdatePushEndpointBody'],
) => unwrap(client.PATCH('/api/v1/organizations/{organizationId}/apps/{appId}/push', { ...at(organizationId, appId), body }));

/** Creates or replaces the push key. Only this response contains the key. */
export const rotatePushKey = (organizationId: string, appId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/push/rotate-key', at(organizationId, appId)));

export const revokePushKey = (organizationId: string, appId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/push/revoke-key', at(organizationId, appId)));

const listPushReceipts = (organizationId: string, appId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/apps/{appId}/push/receipts', at(organizationId, appId)));

export const useSubmission = (organizationId: string, appId: string) =>
  useSWR(keys.submission(organizationId, appId), () => getSubmission(organizationId, appId));

export const usePushEndpoint = (organizationId: string, appId: string) =>
  useSWR(keys.pushEndpoint(organizationId, appId), () => getPushEndpoint(organizationId, appId));

export const usePushReceipts = (organizationId: string, appId: string) =>
  useSWR(keys.pushReceipts(organizationId, appId), () => listPushReceipts(organizationId, appId));
