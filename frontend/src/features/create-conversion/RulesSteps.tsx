import { useEffect } from 'react';
import { ConsentFields } from '~/components/conversion-rules/ConsentFields';
import { MappingFields } from '~/components/conversion-rules/MappingFields';
import { completeMapping } from '~/domain/conversions/guess-mapping';
import type { EventRules } from '~/domain/conversions/rules';
import { WizardFooter } from '~/ui/layout/WizardFooter';
import type { StepProps } from './step-props';
import { stepNeeds } from './steps';

/** Fills in the usual fields once for each source with its settings and each kind of target. */
function useGuessedMapping({ draft, onChange }: Pick<StepProps, 'draft' | 'onChange'>): void {
  const { sample, mappedFor, rules, traits } = draft;
  useEffect(() => {
    if (sample === null) return;
    const taken = traits?.identifiers ?? null;
    const key = JSON.stringify([sample.of, taken]);
    if (mappedFor !== key) onChange({ mappedFor: key, rules: { ...rules, ...completeMapping(rules, sample, taken) } });
  }, [sample, mappedFor, rules, traits, onChange]);
}

export function IdentifiersStep({ draft, onChange, onGo }: StepProps) {
  useGuessedMapping({ draft, onChange });
  const change = (part: Partial<EventRules>) => onChange({ rules: { ...draft.rules, ...part } });
  return (
    <>
      <MappingFields
        rules={draft.rules}
        fields={draft.sample?.fields ?? []}
        taken={draft.traits?.identifiers ?? null}
        onChange={change}
      />
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
