import type { Alert } from '~/api/types';
import { paths } from '~/domain/navigation/paths';

/** The page where a user resolves the alert, and the label of its button. */
export function fixOf(organizationId: string, { kind, subject: { type, id, paymentId } }: Alert): { label: string; to: string } {
  if (type === 'app') return { label: 'Reconnect', to: paths.app(organizationId, id) };
  if (type === 'destination') return { label: 'Open destination', to: paths.destination(organizationId, id) };
  if (type === 'webhook_endpoint') return { label: 'Open webhooks', to: paths.settings(organizationId, { tab: 'webhooks' }) };
  if (type === 'payment') return { label: 'Open payment', to: paths.payment(organizationId, id) };
  if (paymentId !== null) return { label: 'Open payment', to: paths.payment(organizationId, paymentId) };
  if (type === 'conversion') {
    const isFailing = kind === 'conversion.failing';
    const tab = isFailing ? 'runs' : 'overview';
    return { label: isFailing ? 'Open runs' : 'Open conversion', to: paths.conversion(organizationId, id, { tab }) };
  }
  const isOfRuns = kind === 'connection.failing' || kind === 'connection.partial';
  return {
    label: isOfRuns ? 'Open runs' : 'Open connection',
    to: paths.connection(organizationId, id, { tab: isOfRuns ? 'runs' : 'overview' }),
  };
}
