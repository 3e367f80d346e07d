import { useEffect } from 'react';
import { ConsentFields } from '~/components/conversion-rules/ConsentFields';
import { MappingFields } from '~/components/conversion-rules/MappingFields';
import { guessHashedFields, guessMapping } from '~/domain/conversions/guess-mapping';
import type { EventRules } from '~/domain/conversions/rules';
import { WizardFooter } from '~/ui/layout/WizardFooter';
import type { StepProps } from './step-props';
import { stepNeeds } from './steps';

/** Fills in the usual fields once for each source and its settings. */
function useGuessedMapping({ draft, onChange }: Pick<StepProps, 'draft' | 'onChange'>): void {
  const { sample, mappedFor, rules } = draft;
  useEffect(() => {
    if (sample === null || mappedFor === sample.of) return;
    const guessed = guessMapping(sample);
    const isMapped = Object.keys(rules.mapping).length > 0;
    const mapping = isMapped ? rules.mapping : guessed;
    onChange({
      mappedFor: sample.of,
      rules: { ...rules, mapping, hashedFields: isMapped ? rules.hashedFields : guessHashedFields(guessed) },
    });
  }, [sample, mappedFor, rules, onChange]);
}

export function IdentifiersStep({ draft, onChange, onGo }: StepProps) {
  useGuessedMapping({ draft, onChange });
  const change = (part: Partial<EventRules>) => onChange({ rules: { ...draft.rules, ...part } });
  return (
    <>
      <MappingFields rules={draft.rules} fields={draft.sample?.fields ?? []} onChange={change} />
      <WizardFooter
        savedAt={draft.savedAt}
        onBack={() => onGo('destination')}
        onNext={() => onGo('consent')}
        nextLabel="Consent"
        disabledReason={stepNeeds('identifiers', draft)}
      />
    </>
  );
}

export function ConsentStep({ draft, onChange, onGo }: StepProps) {
  const change = (part: Partial<EventRules>) => onChange({ rules: { ...draft.rules, ...part } });
  return (
    <>
      <ConsentFields
        rules={draft.rules}
        fields={draft.sample?.fields ?? []}
        onChange={change}
        refunds={draft.traits?.refunds ?? null}
        removesDuplicates={draft.traits?.removesDuplicates ?? null}
      />
      <WizardFooter
        savedAt={draft.savedAt}
        onBack={() => onGo('identifiers')}
        onNext={() => onGo('preview')}
        nextLabel="Preview"
        disabledReason={stepNeeds('consent', draft)}
      />
    </>
  );
}
