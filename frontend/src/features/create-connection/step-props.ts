import type { WizardStep } from '../../lib/paths';
import type { Draft } from '../../api/connection-draft';

export interface StepProps {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
  onGo: (step: WizardStep) => void;
  onFinished: () => void;
}
