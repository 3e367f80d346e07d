import type { OpenAPIObject } from '@nestjs/swagger';
import { type AccessRule, PERSON_ONLY, POLICY } from '../access/index.js';
import type { Handler } from './handlers.js';
import { listOperations } from './schema.js';

/** What each group of calls is about; one that is missing here fails a test. */
export const TAGS: Record<string, string> = {
  Users: 'Who is calling: their record, and what is kept of them.',
  Organizations: 'The organization that people, connections and data belong to.',
  Members: 'Who belongs to an organization, and with which role.',
  Invitations: 'Asking somebody in, and answering such a request.',
  'API keys': 'Keys for programs that act in one organization.',
  Audit: 'Who did what, and what was refused.',
  Analytics: 'What people do, told to the analytics of the product.',
  Catalog: 'What the product can connect to, with the schemas its forms are drawn from.',
  Billing: "The organization's own subscription, and what it uses.",
  Apps: 'Authenticated accounts at providers. Their credentials are never part of an answer.',
  'Custom apps': 'Integrations that the catalog lacks, asked for; and an address to which anybody’s system pushes events.',
  Sources: 'What is read: some accounts of an app.',
  Destinations: 'What is written to.',
  Connections: 'A source, a destination, and when data moves between them.',
  Runs: 'Each time data moved, with its proof; and live progress.',
  Operations: 'Is it up, and how does one sign in.',
};

/** First sentence as the summary; the rest, and who may call, as the description. */
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
    const people = PERSON_ONLY.has(rule.permission) ? ' API keys are refused.' : '';
    return `Takes the permission \`${rule.permission}\`: ${POLICY[rule.permission]} and up.${people} To others the organization does not exist.`;
  }
  if (rule?.kind === 'optional') return 'Anybody may call it; a sign-in is taken into account.';
  return rule?.kind === 'public' ? 'Anybody may call it.' : 'Takes a sign-in.';
}
