import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { components } from './schema';
import type { SubmissionChange } from './types';

const of = (organizationId: string, appId: string) => ({ params: { path: { organizationId, appId } } });

const getSubmission = (organizationId: string, appId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/apps/{appId}/submission', of(organizationId, appId)));

export const updateSubmission = (organizationId: string, appId: string, body: SubmissionChange) =>
  unwrap(client.PATCH('/api/v1/organizations/{organizationId}/apps/{appId}/submission', { ...of(organizationId, appId), body }));

/** Hands the draft in; afterwards it cannot be changed. */
export const submitSubmission = (organizationId: string, appId: string, version: number) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/submission/submit', {
      ...of(organizationId, appId),
      body: { version },
    }),
  );

const getPushEndpoint = (organizationId: string, appId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/apps/{appId}/push', of(organizationId, appId)));

export const updatePushEndpoint = (
  organizationId: string,
  appId: string,
  body: components['schemas']['UpdatePushEndpointBody'],
) => unwrap(client.PATCH('/api/v1/organizations/{organizationId}/apps/{appId}/push', { ...of(organizationId, appId), body }));

/** The first key, or another in its place; it is answered this once. */
export const rotatePushKey = (organizationId: string, appId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/push/rotate-key', of(organizationId, appId)));

export const revokePushKey = (organizationId: string, appId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/push/revoke-key', of(organizationId, appId)));

const listPushReceipts = (organizationId: string, appId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/apps/{appId}/push/receipts', of(organizationId, appId)));

export const useSubmission = (organizationId: string, appId: string) =>
  useSWR(keys.submission(organizationId, appId), () => getSubmission(organizationId, appId));

export const usePushEndpoint = (organizationId: string, appId: string) =>
  useSWR(keys.pushEndpoint(organizationId, appId), () => getPushEndpoint(organizationId, appId));

export const usePushReceipts = (organizationId: string, appId: string) =>
  useSWR(keys.pushReceipts(organizationId, appId), () => listPushReceipts(organizationId, appId));
