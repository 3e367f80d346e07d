import type { WizardStep } from './paths';

/** The steps of a new connection, in order. A sign-in at a platform belongs to the first one. */
export const WIZARD_STEPS: { key: WizardStep; label: string }[] = [
  { key: 'source', label: 'Source' },
  { key: 'destination', label: 'Destination' },
  { key: 'configure', label: 'Configure' },
  { key: 'review', label: 'Review' },
];
