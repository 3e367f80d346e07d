import type { FlowState } from './flow-state';
import { paths } from './paths';

type Origin = FlowState['storedFrom'];

/** The next page after a source is created. Outside a flow, the page of the source. */
export function afterSource(organizationId: string, from: Origin, source: { id: string; provider: string }): string {
  if (from === 'connection') return paths.createConnection(organizationId, { step: 'destination', source: source.id });
  if (from === 'conversion') return paths.createConversion(organizationId);
  return paths.source(organizationId, source.id, source.provider);
}

/** The next page after a destination is created. Outside a flow, the page of the destination. */
export function afterDestination(organizationId: string, from: Origin, destinationId: string): string {
  if (from === 'connection') return paths.createConnection(organizationId, { step: 'configure', destination: destinationId });
  if (from === 'conversion') return paths.createConversion(organizationId);
  return paths.destination(organizationId, destinationId);
}

/** The form of a new destination: the flow's own step where the provider has one, otherwise the separate page. */
export function newDestinationStep(organizationId: string, from: Origin, provider: string): string {
  return provider === 'bigquery' && from !== null ? paths.bigquery() : paths.newDestination(organizationId, { provider });
}
