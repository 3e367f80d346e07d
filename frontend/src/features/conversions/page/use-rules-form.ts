import { sampleSource } from '~/api/conversions/conversion-setup';
import { updateConversion } from '~/api/conversions/conversions';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion, ConversionRules } from '~/api/types';
import { useVersionedForm } from '~/components/feedback/use-versioned-form';
import { toast } from '~/components/feedback/toast';
import { cleanRules, readMapping } from '~/domain/conversions/rules';
import type { EventRules } from '~/domain/conversions/rules';
import { useAction } from '~/lib/use-action';
import { useState } from 'react';

const rulesOf = (conversion: Conversion): EventRules => ({
  filter: conversion.filter,
  mapping: readMapping(conversion.mapping),
  hashedFields: conversion.hashedFields,
  countRule: conversion.countRule,
  onUnknownConsent: conversion.onUnknownConsent,
  onUnknownOutcome: conversion.onUnknownOutcome,
  defaultCountry: conversion.defaultCountry,
  hashesExternalId: conversion.hashesExternalId,
  sendsAdjustments: conversion.sendsAdjustments,
  testCode: conversion.testCode,
});

const sourceOf = ({ source: { appId, destinationId, settings } }: Conversion): ConversionRules['source'] =>
  appId === null ? { destinationId: destinationId ?? '', settings } : { appId, settings };

/** Rules of a saved conversion with the same source and target. */
function bodyOf(conversion: Conversion, rules: EventRules): ConversionRules {
  const { appId, accountId, name, settings } = conversion.target;
  return { ...cleanRules(rules), source: sourceOf(conversion), target: { appId, accountId, name, settings } };
}

interface EndChanges {
  source: Conversion['source']['settings'];
  target: Pick<Conversion['target'], 'name' | 'settings'>;
}

/** The rules of a saved conversion with other settings of its source, and another target in the same account. */
export function withEnds(conversion: Conversion, changes: EndChanges): ConversionRules {
  const { source, target, ...rules } = bodyOf(conversion, rulesOf(conversion));
  return { ...rules, source: { ...source, settings: changes.source }, target: { ...target, ...changes.target } };
}

const mappedFields = ({ mapping, filter }: EventRules): string[] => [
  ...Object.values(mapping).flatMap((origin) => ('field' in origin ? [origin.field] : [])),
  ...filter.map(({ field }) => field),
];

/** A form with the rules of a conversion. The fields of its records are loaded on request: that reads the source. */
export function useRulesForm(organizationId: string, conversion: Conversion) {
  const { refresh } = useConversionActions(organizationId);
  const form = useVersionedForm({ latest: conversion, valuesOf: rulesOf, refresh: () => refresh(conversion.id) });
  const [sampled, setSampled] = useState<string[] | null>(null);
  const sample = useAction();
  const save = () =>
    form.run(async () => {
      await form.save((version) =>
        updateConversion(organizationId, conversion.id, { rules: bodyOf(conversion, form.values), version }),
      );
      toast.done('Rules saved. Events that were read before keep their payload');
    });
  return {
    form,
    save,
    fields: [...new Set([...(sampled ?? []), ...mappedFields(form.values)])].filter((field) => field !== ''),
    hasFields: sampled !== null,
    sample: {
      isBusy: sample.isBusy,
      error: sample.error,
      load: () => void sample.run(async () => setSampled((await sampleSource(organizationId, sourceOf(conversion))).fields)),
    },
  };
}
