import { useCallback, useState } from 'react';
import {
  clearConversionDraft,
  emptyConversionDraft,
  readConversionDraft,
  writeConversionDraft,
} from '~/api/conversions/conversion-draft';
import type { ConversionDraft } from '~/api/conversions/conversion-draft';
import { clearFlowState, writeFlowState } from '~/domain/navigation/flow-state';

export function useConversionDraft(organizationId: string) {
  const [draft, setDraft] = useState(() => readConversionDraft(organizationId) ?? emptyConversionDraft);
  /** When the existing draft was last saved. Null if there was none or it was resumed. */
  const [leftAt, setLeftAt] = useState(() => readConversionDraft(organizationId)?.savedAt ?? null);
  const change = useCallback(
    (part: Partial<ConversionDraft>) =>
      setDraft((before) => {
        const next = { ...before, ...part, savedAt: new Date().toISOString() };
        writeConversionDraft(organizationId, next);
        writeFlowState({ storedFrom: 'conversion' });
        return next;
      }),
    [organizationId],
  );
  const discard = useCallback(() => {
    clearConversionDraft(organizationId);
    clearFlowState();
    setDraft(emptyConversionDraft);
    setLeftAt(null);
  }, [organizationId]);
  return { draft, change, discard, leftAt };
}
