import { useCallback, useState } from 'react';
import { clearFlowState, readFlowState, writeFlowState } from '~/domain/navigation/flow-state';
import { clearDraft, emptyDraft, readDraft, writeDraft } from '~/api/connections/connection-draft';
import type { Draft } from '~/api/connections/connection-draft';

export interface NewParts {
  sourceId: string | null;
  destinationId: string | null;
}

/** A source or destination that was just made elsewhere is taken up, wherever the browser went in between. */
function startingDraft(organizationId: string, made: NewParts): Draft {
  const known = readDraft(organizationId) ?? emptyDraft;
  const sourceId = made.sourceId ?? readFlowState().sourceKey ?? known.sourceId;
  return { ...known, sourceId, destinationId: made.destinationId ?? known.destinationId };
}

export function useDraft(organizationId: string, made: NewParts) {
  const [draft, setDraft] = useState(() => startingDraft(organizationId, made));
  /** When the draft that was found here was left; null: there was none, or it has been taken up. */
  const [leftAt, setLeftAt] = useState(() => readDraft(organizationId)?.savedAt ?? null);
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
    setLeftAt(null);
  }, [organizationId]);
  /** Takes a discarded draft back. */
  const restore = useCallback((kept: Draft) => change(kept), [change]);
  return { draft, change, discard, restore, leftAt };
}
