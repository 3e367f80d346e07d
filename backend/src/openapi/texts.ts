import type { OpenAPIObject } from '@nestjs/swagger';
import { type AccessRule, PERSON_ONLY, POLICY } from '../access/index.js';
import type { Handler } from './handlers.js';
import { listOperations } from './schema.js';

/** Descriptions of the endpoint groups. A test fails when one is missing. */
export const TAGS: Record<string, string> = {
  Users: 'The signed-in user: profile and stored data.',
  Organizations: 'Organizations own members, connections and data.',
  Members: 'Members of an organization and their roles.',
  Invitations: 'Send, accept and reject invitations.',
  'API keys': 'Keys for programs that act in one organization.',
  Audit: 'Actions in an organization and rejected requests.',
  Analytics: 'User actions, sent to the product analytics.',
  Catalog: 'Available connectors, with the schemas of their forms.',
  Billing: "The organization's subscription and usage.",
  Apps: 'Authenticated accounts at providers. A response never contains their credentials.',
  'Custom apps': 'Requests for integrations that the catalog lacks, and an endpoint to which other systems push events.',
  Sources: 'Accounts of an app from which data is read.',
  Destinations: 'Databases and services to which data is written.',
  Connections: 'A source, a destination and a schedule.',
  Freshness: 'Which days are complete, why the others are not, and public badges that show it.',
  Backfills: 'Loads of past days of a connection, and reloads of selected days.',
  Runs: 'Executions of connections with their verification, and live progress.',
  Conversions: 'Events that are sent back to ad platforms, with the fate of each event.',
  Alerts: 'Problems that a user should know of, with the action that resolves each.',
  Notifications: 'Rules that define who is notified of which alerts.',
  Webhooks: 'Addresses that receive notifications, and the log of deliveries.',
  Payments: 'Revenue events of Stripe accounts, loaded into destinations and verified.',
  Configuration: 'Export and import of the configuration of an organization, without secrets.',
  Demo: 'The public tour of a demo instance.',
  Operations: 'Health checks and the sign-in configuration.',
};

/** Uses the first sentence as the summary, and the rest plus the access rule as the description. */
export function addTexts(document: OpenAPIObject, handlers: Map<string, Handler>): void {
  const used = new Set<string>();
  for (const { operation } of listOperations(document)) {
    const [summary = '', ...rest] = (operation.summary ?? '').split(/(?<=[.:])\s+(?=[A-Z`0-9])/);
    const access = accessSentence(handlers.get(operation.operationId ?? '')?.rule);
    operation.summary = summary.replace(/[.:]$/, '');
    operation.description = [...rest, operation.description, access].filter(Boolean).join(' ');
    operation.tags?.forEach((tag) => used.add(tag));
  }
  document.tags = [...used].map((name) => ({ name, description: TAGS[name] ?? '' }));
}

function accessSentence(rule: AccessRule | undefined): string {
  if (rule?.kind === 'permission') {
    const people = PERSON_ONLY.has(rule.permission) ? ' API keys are rejected.' : '';
    return `Requires the permission \`${rule.permission}\`: role ${POLICY[rule.permission]} or higher.${people} Returns 404 to users without access to the organization.`;
  }
  if (rule?.kind === 'optional') return 'No sign-in is required. A signed-in user is recognized.';
  return rule?.kind === 'public' ? 'No sign-in is required.' : 'Requires a sign-in.';
}
