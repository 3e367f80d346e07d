import useSWR from 'swr';
import { client, unwrap } from '~/api/http/client';
import { keys } from '~/api/http/keys';
import type { ConversionRules, ConversionSource } from '~/api/types';

const path = '/api/v1/organizations/{organizationId}/conversion-setup';
const at = (organizationId: string) => ({ params: { path: { organizationId } } });
/** Each request counts against the daily budget, so nothing is requested again without a click. */
const ONCE = { revalidateOnFocus: false, revalidateIfStale: false, revalidateOnReconnect: false, shouldRetryOnError: false };

const listSources = (organizationId: string) => unwrap(client.GET(`${path}/sources`, at(organizationId)));

const listTargets = (organizationId: string, body: { appId: string; accountId: string }) =>
  unwrap(client.POST(`${path}/targets`, { ...at(organizationId), body }));

export const sampleSource = (organizationId: string, source: ConversionSource) =>
  unwrap(client.POST(`${path}/sample`, { ...at(organizationId), body: { source } }));

const previewConversion = (organizationId: string, body: ConversionRules) =>
  unwrap(client.POST(`${path}/preview`, { ...at(organizationId), body }));

export const validateConversion = (organizationId: string, body: ConversionRules) =>
  unwrap(client.POST(`${path}/validate`, { ...at(organizationId), body }));

export const useConversionSources = (organizationId: string) =>
  useSWR(keys.conversionSources(organizationId), () => listSources(organizationId));

export const useConversionTargets = (organizationId: string, account: { appId: string; accountId: string } | null) =>
  useSWR(
    account === null ? null : keys.conversionTargets(organizationId, account),
    ([, , requested]) => listTargets(organizationId, requested),
    ONCE,
  );

export const usePreview = (organizationId: string, rules: ConversionRules | null) =>
  useSWR(
    rules === null ? null : keys.conversionPreview(organizationId, rules),
    ([, , requested]) => previewConversion(organizationId, requested),
    ONCE,
  );
