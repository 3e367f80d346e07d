import useSWR from 'swr';
import type { Health } from '../lib/connection-state';
import { keys } from './keys';
import { request } from './request';
import type {
  Completeness,
  Connection,
  ConnectionPage,
  Coverage,
  DailyTotals,
  Estimate,
  NewConnection,
  RunSummary,
  Schedule,
} from './types';

const root = (organizationId: string) => `/api/v1/organizations/${organizationId}/connections`;

export interface ConnectionFilter {
  health?: Health;
  search?: string;
  limit?: number;
  cursor?: string;
}

export const listConnections = (organizationId: string, filter: ConnectionFilter) =>
  request<ConnectionPage>('GET', root(organizationId), { query: { ...filter } });

export const getConnection = (organizationId: string, id: string) => request<Connection>('GET', `${root(organizationId)}/${id}`);

export const createConnection = (organizationId: string, body: NewConnection) =>
  request<Connection>('POST', root(organizationId), { body });

export interface ConnectionChange {
  name?: string;
  streams?: string[];
  schedule?: Schedule;
  lookbackDays?: number | null;
  historyFrom?: string;
  tags?: string[];
  version: number;
}

export const updateConnection = (organizationId: string, id: string, body: ConnectionChange) =>
  request<Connection>('PATCH', `${root(organizationId)}/${id}`, { body });

export const deleteConnection = (organizationId: string, id: string) => request<null>('DELETE', `${root(organizationId)}/${id}`);

export const runConnection = (organizationId: string, id: string) =>
  request<RunSummary>('POST', `${root(organizationId)}/${id}/run`);

export const pauseConnection = (organizationId: string, id: string) =>
  request<Connection>('POST', `${root(organizationId)}/${id}/pause`);

export const resumeConnection = (organizationId: string, id: string) =>
  request<Connection>('POST', `${root(organizationId)}/${id}/resume`);

export type EstimateQuestion = Omit<NewConnection, 'name'>;

export const useEstimate = (organizationId: string, question: EstimateQuestion | null) =>
  useSWR(
    question === null ? null : keys.estimate(organizationId, question),
    () => request<Estimate>('POST', `${root(organizationId)}/estimate`, { body: question ?? {} }),
    { revalidateOnFocus: false, revalidateIfStale: false },
  );

export const useConnections = (organizationId: string, filter: ConnectionFilter = {}) =>
  useSWR(keys.connections(organizationId, filter), () => listConnections(organizationId, filter), { keepPreviousData: true });

export const useConnection = (organizationId: string, id: string) =>
  useSWR(keys.connection(organizationId, id), () => getConnection(organizationId, id));

export interface CoverageRange {
  stream: string;
  from: string;
  to: string;
}

export const useCoverage = (organizationId: string, id: string, range: CoverageRange | null) =>
  useSWR(
    range === null ? null : keys.coverage(organizationId, id, range),
    () => request<Coverage>('GET', `${root(organizationId)}/${id}/coverage`, { query: { ...range } }),
    { keepPreviousData: true },
  );

export const useCompleteness = (organizationId: string, id: string) =>
  useSWR(keys.completeness(organizationId, id), () => request<Completeness>('GET', `${root(organizationId)}/${id}/completeness`));

export const useDaily = (organizationId: string, id: string, range: { from: string; to: string }) =>
  useSWR(keys.daily(organizationId, id, range), () =>
    request<DailyTotals>('GET', `${root(organizationId)}/${id}/daily`, { query: { ...range } }),
  );
