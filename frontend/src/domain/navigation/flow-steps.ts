import type { FlowState } from './flow-state';
import { paths } from './paths';

type Origin = FlowState['storedFrom'];

/** Where a flow goes on once its source is there; by itself the source is the end of it. */
export function afterSource(organizationId: string, from: Origin, source: { id: string; provider: string }): string {
  if (from === 'connection') return paths.createConnection(organizationId, { step: 'destination', source: source.id });
  if (from === 'conversion') return paths.createConversion(organizationId);
  return paths.source(organizationId, source.id, source.provider);
}

/** Where a flow goes on once its destination is there. */
export function afterDestination(organizationId: string, from: Origin, destinationId: string): string {
  if (from === 'connection') return paths.createConnection(organizationId, { step: 'configure', destination: destinationId });
  if (from === 'conversion') return paths.createConversion(organizationId);
  return paths.destination(organizationId, destinationId);
}

/** The form of a new destination: a step of the flow where there is one for the provider, otherwise a page by itself. */
export function newDestinationStep(organizationId: string, from: Origin, provider: string): string {
  return provider === 'bigquery' && from !== null ? paths.bigquery() : paths.newDestination(organizationId, { provider });
}
