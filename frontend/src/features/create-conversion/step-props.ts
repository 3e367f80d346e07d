import type { ConversionDraft } from '~/api/conversions/conversion-draft';
import type { ConversionStep } from '~/domain/navigation/paths';

export interface StepProps {
  draft: ConversionDraft;
  onChange: (part: Partial<ConversionDraft>) => void;
  onGo: (step: ConversionStep) => void;
  onFinished: () => void;
}
