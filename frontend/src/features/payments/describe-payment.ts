import type { Payment } from '~/api/types';
import { plural } from '~/lib/numbers';

/** `Warehouse`; from three on the number: `3 destinations`. */
export const destinationNames = (destinations: Payment['destinations']): string =>
  destinations.length > 2 ? plural(destinations.length, 'destination') : destinations.map(({ name }) => name).join(', ');

/** The cause of the health, in one line. */
export const describeHealth = ({ desired, healthReason }: Payment): string =>
  desired === 'paused' ? 'Nothing is loaded. Webhooks are still received' : healthReason;
