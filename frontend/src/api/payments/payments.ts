import useSWR from 'swr';
import { allPages, PAGE_SIZE } from '~/api/http/all-pages';
import { client, unwrap } from '~/api/http/client';
import { keys } from '~/api/http/keys';
import type { NewPayment, Payment, PaymentChange, ReloadRequest } from '~/api/types';

const of = '/api/v1/organizations/{organizationId}/payments';
const one = `${of}/{paymentId}` as const;
const at = (organizationId: string, paymentId: string) => ({ params: { path: { organizationId, paymentId } } });

/** A run can end between the first response and the first live event, so active runs are polled. */
const WHILE_RUNNING_MS = 5_000;

export const listPayments = (organizationId: string) =>
  allPages((cursor) => unwrap(client.GET(of, { params: { path: { organizationId }, query: { limit: PAGE_SIZE, cursor } } })));

const getPayment = (organizationId: string, id: string) => unwrap(client.GET(one, at(organizationId, id)));

export const createPayment = (organizationId: string, body: NewPayment) =>
  unwrap(client.POST(of, { params: { path: { organizationId } }, body }));

export const updatePayment = (organizationId: string, id: string, body: PaymentChange) =>
  unwrap(client.PATCH(one, { ...at(organizationId, id), body }));

export const deletePayment = (organizationId: string, id: string) => unwrap(client.DELETE(one, at(organizationId, id)));

export const restorePayment = (organizationId: string, id: string) =>
  unwrap(client.POST(`${one}/restore`, at(organizationId, id)));

export const runPayment = (organizationId: string, id: string) => unwrap(client.POST(`${one}/run`, at(organizationId, id)));

export const pausePayment = (organizationId: string, id: string) => unwrap(client.POST(`${one}/pause`, at(organizationId, id)));

export const resumePayment = (organizationId: string, id: string) => unwrap(client.POST(`${one}/resume`, at(organizationId, id)));

export const enterWebhookSecret = (organizationId: string, id: string, secret: string) =>
  unwrap(client.POST(`${one}/webhook-secret`, { ...at(organizationId, id), body: { secret } }));

/** Counts against the daily request budget, so it is requested only by a click. */
export const samplePaymentEvents = (organizationId: string, id: string) =>
  unwrap(client.POST(`${one}/sample-events`, at(organizationId, id)));

const getRecurringRevenue = (organizationId: string, id: string) =>
  unwrap(client.GET(`${one}/recurring-revenue`, at(organizationId, id)));

const isRunning = ({ destinations }: Payment): boolean => destinations.some(({ activeRunId }) => activeRunId !== null);

export const usePayments = (organizationId: string) =>
  useSWR(keys.payments(organizationId), () => listPayments(organizationId), {
    refreshInterval: (page) => (page?.items.some(isRunning) ? WHILE_RUNNING_MS : 0),
  });

export const usePayment = (organizationId: string, id: string) =>
  useSWR(keys.payment(organizationId, id), () => getPayment(organizationId, id), {
    refreshInterval: (payment) => (payment && isRunning(payment) ? WHILE_RUNNING_MS : 0),
  });

/** Computed by a job after the payment was created, so a missing figure is requested again. */
export const useRecurringRevenue = (organizationId: string, id: string) =>
  useSWR(keys.recurringRevenue(organizationId, id), () => getRecurringRevenue(organizationId, id), {
    refreshInterval: (revenue) => (revenue?.computedAt === null && revenue.failure === null ? WHILE_RUNNING_MS : 0),
  });

/** Queues a run of one destination, which replaces the rows of these days. */
export const reloadDays = (organizationId: string, connectionId: string, body: ReloadRequest) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/connections/{connectionId}/reload', {
      params: { path: { organizationId, connectionId } },
      body,
    }),
  );
