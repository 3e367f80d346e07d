import useSWR from 'swr';
import { deliveryPollMs } from './delivery-polling';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { NewNotificationRule, NewWebhook, NotificationRuleChange, WebhookChange } from './types';

/** The server allows fewer rules and webhooks than this. */
const ALL = { limit: 100 };
const DELIVERIES = { limit: 20 };
const rules = '/api/v1/organizations/{organizationId}/notification-rules';
const webhooks = '/api/v1/organizations/{organizationId}/webhook-endpoints';
const webhook = `${webhooks}/{endpointId}` as const;
const at = (organizationId: string, endpointId: string) => ({ params: { path: { organizationId, endpointId } } });

export const useNotificationRules = (organizationId: string) =>
  useSWR(keys.notificationRules(organizationId), () =>
    unwrap(client.GET(rules, { params: { path: { organizationId }, query: ALL } })),
  );

export const createNotificationRule = (organizationId: string, body: NewNotificationRule) =>
  unwrap(client.POST(rules, { params: { path: { organizationId } }, body }));

export const updateNotificationRule = (organizationId: string, ruleId: string, body: NotificationRuleChange) =>
  unwrap(client.PATCH(`${rules}/{ruleId}`, { params: { path: { organizationId, ruleId } }, body }));

export const deleteNotificationRule = (organizationId: string, ruleId: string) =>
  unwrap(client.DELETE(`${rules}/{ruleId}`, { params: { path: { organizationId, ruleId } } }));

export const restoreNotificationRule = (organizationId: string, ruleId: string) =>
  unwrap(client.POST(`${rules}/{ruleId}/restore`, { params: { path: { organizationId, ruleId } } }));

export const useWebhooks = (organizationId: string, isAllowed: boolean) =>
  useSWR(isAllowed ? keys.webhooks(organizationId) : null, () =>
    unwrap(client.GET(webhooks, { params: { path: { organizationId }, query: ALL } })),
  );

export const createWebhook = (organizationId: string, body: NewWebhook) =>
  unwrap(client.POST(webhooks, { params: { path: { organizationId } }, body }));

export const updateWebhook = (organizationId: string, id: string, body: WebhookChange) =>
  unwrap(client.PATCH(webhook, { ...at(organizationId, id), body }));

export const deleteWebhook = (organizationId: string, id: string) => unwrap(client.DELETE(webhook, at(organizationId, id)));

export const restoreWebhook = (organizationId: string, id: string) =>
  unwrap(client.POST(`${webhook}/restore`, at(organizationId, id)));

export const rotateWebhookSecret = (organizationId: string, id: string) =>
  unwrap(client.POST(`${webhook}/rotate-secret`, at(organizationId, id)));

export const testWebhook = (organizationId: string, id: string) => unwrap(client.POST(`${webhook}/test`, at(organizationId, id)));

export const useWebhookDeliveries = (organizationId: string, endpointId: string) =>
  useSWR(
    keys.webhookDeliveries(organizationId, endpointId),
    () => unwrap(client.GET(`${webhook}/deliveries`, { params: { path: { organizationId, endpointId }, query: DELIVERIES } })),
    { refreshInterval: (page) => deliveryPollMs(page?.items ?? []) },
  );

export const redeliverWebhook = (organizationId: string, endpointId: string, deliveryId: string) =>
  unwrap(
    client.POST(`${webhook}/deliveries/{deliveryId}/redeliver`, { params: { path: { organizationId, endpointId, deliveryId } } }),
  );
