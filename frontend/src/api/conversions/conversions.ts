import useSWR from 'swr';
import { allPages, PAGE_SIZE } from '~/api/http/all-pages';
import { client, unwrap } from '~/api/http/client';
import { keys } from '~/api/http/keys';
import { useOlderPages } from '~/api/http/use-older-pages';
import type { ConversionChange, ConversionRunPage, NewConversion } from '~/api/types';

const of = '/api/v1/organizations/{organizationId}/conversions';
const one = `${of}/{conversionId}` as const;
const at = (organizationId: string, conversionId: string) => ({ params: { path: { organizationId, conversionId } } });

export const listConversions = (organizationId: string) =>
  allPages((cursor) => unwrap(client.GET(of, { params: { path: { organizationId }, query: { limit: PAGE_SIZE, cursor } } })));

const getConversion = (organizationId: string, id: string) => unwrap(client.GET(one, at(organizationId, id)));

export const createConversion = (organizationId: string, body: NewConversion) =>
  unwrap(client.POST(of, { params: { path: { organizationId } }, body }));

export const updateConversion = (organizationId: string, id: string, body: ConversionChange) =>
  unwrap(client.PATCH(one, { ...at(organizationId, id), body }));

export const deleteConversion = (organizationId: string, id: string) => unwrap(client.DELETE(one, at(organizationId, id)));

export const restoreConversion = (organizationId: string, id: string) =>
  unwrap(client.POST(`${one}/restore`, at(organizationId, id)));

export const runConversion = (organizationId: string, id: string) => unwrap(client.POST(`${one}/run`, at(organizationId, id)));

/** Lets the platform validate the newest events. Nothing is counted or stored. */
export const testConversion = (organizationId: string, id: string) => unwrap(client.POST(`${one}/test`, at(organizationId, id)));

export const pauseConversion = (organizationId: string, id: string) =>
  unwrap(client.POST(`${one}/pause`, at(organizationId, id)));

export const resumeConversion = (organizationId: string, id: string) =>
  unwrap(client.POST(`${one}/resume`, at(organizationId, id)));

/** Sends all rejected events, or the listed ones, again. */
export const replayEvents = (organizationId: string, id: string, body: { eventIds: string[] } | { state: 'rejected' | 'dead' }) =>
  unwrap(client.POST(`${one}/replay`, { ...at(organizationId, id), body }));

export const listConversionRuns = (organizationId: string, id: string, cursor?: string) =>
  unwrap(client.GET(`${one}/runs`, { params: { path: { organizationId, conversionId: id }, query: { cursor, limit: 50 } } }));

export const useConversions = (organizationId: string) =>
  useSWR(keys.conversions(organizationId), () => listConversions(organizationId));

export const useConversion = (organizationId: string, id: string) =>
  useSWR(keys.conversion(organizationId, id), () => getConversion(organizationId, id));

/** A run can end between the first response and the first live event, so an active run is polled. */
const WHILE_RUNNING_MS = 5_000;

export const useConversionRuns = (organizationId: string, id: string) =>
  useSWR(keys.conversionRuns(organizationId, id), () => listConversionRuns(organizationId, id), {
    refreshInterval: (page) => (page?.items[0]?.state === 'running' ? WHILE_RUNNING_MS : 0),
  });

/** All loaded runs. `useConversionRuns` refreshes the first page. */
export const useOlderConversionRuns = (organizationId: string, id: string, first: ConversionRunPage | undefined) =>
  useOlderPages({
    key: ['older-conversion-runs', organizationId, id],
    first,
    load: (cursor) => listConversionRuns(organizationId, id, cursor),
    idOf: (run) => run.id,
  });
