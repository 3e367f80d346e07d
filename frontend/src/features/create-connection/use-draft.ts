import { useCallback, useState } from 'react';
import { clearFlowState, readFlowState, writeFlowState } from '../../lib/flow-state';
import { clearDraft, emptyDraft, readDraft, writeDraft } from './draft';
import type { Draft } from './draft';

/** A source that was just made on the landing page is taken up, wherever the browser went in between. */
function startingDraft(organizationId: string, newSourceId: string | null): Draft {
  const known = readDraft(organizationId) ?? emptyDraft;
  const sourceId = newSourceId ?? readFlowState().sourceKey ?? known.sourceId;
  return { ...known, sourceId };
}

export function useDraft(organizationId: string, newSourceId: string | null) {
  const [draft, setDraft] = useState(() => startingDraft(organizationId, newSourceId));
  const [isResumed, setResumed] = useState(() => (readDraft(organizationId)?.savedAt ?? null) !== null);
  const change = useCallback(
    (part: Partial<Draft>) =>
      setDraft((before) => {
        const next = { ...before, ...part, savedAt: new Date().toISOString() };
        writeDraft(organizationId, next);
        writeFlowState({ storedFrom: 'connection', sourceKey: next.sourceId });
        return next;
      }),
    [organizationId],
  );
  const discard = useCallback(() => {
    clearDraft(organizationId);
    clearFlowState();
    setDraft(emptyDraft);
    setResumed(false);
  }, [organizationId]);
  return { draft, change, discard, isResumed };
}
