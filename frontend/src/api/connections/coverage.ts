import useSWR from 'swr';
import { client, unwrap } from '~/api/http/client';
import { keys } from '~/api/http/keys';

export interface CoverageRange {
  stream: string;
  from: string;
  to: string;
}

const getCoverage = (organizationId: string, connectionId: string, query: CoverageRange) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/connections/{connectionId}/coverage', {
      params: { path: { organizationId, connectionId }, query },
    }),
  );

export const getDaily = (organizationId: string, connectionId: string, query: { from: string; to: string }) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/connections/{connectionId}/daily', {
      params: { path: { organizationId, connectionId }, query },
    }),
  );

export const useCoverage = (organizationId: string, connectionId: string, range: CoverageRange) =>
  useSWR(keys.coverage(organizationId, connectionId, range), () => getCoverage(organizationId, connectionId, range));

export const useDaily = (organizationId: string, connectionId: string, range: { from: string; to: string }) =>
  useSWR(keys.daily(organizationId, connectionId, range), () => getDaily(organizationId, connectionId, range));
