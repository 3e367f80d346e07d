import type { WizardStep } from '~/domain/navigation/paths';
import type { Draft } from '~/api/connections/connection-draft';

export interface StepProps {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
  onGo: (step: WizardStep) => void;
  onFinished: () => void;
}
