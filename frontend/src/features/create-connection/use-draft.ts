import { useCallback, useState } from 'react';
import { clearFlowState, readFlowState, writeFlowState } from '~/domain/navigation/flow-state';
import { clearDraft, emptyDraft, readDraft, writeDraft } from '~/api/connections/connection-draft';
import type { Draft } from '~/api/connections/connection-draft';

export interface NewParts {
  sourceId: string | null;
  destinationId: string | null;
}

/** Starts with a source or destination that was just created on another page. */
function startingDraft(organizationId: string, created: NewParts): Draft {
  const known = readDraft(organizationId) ?? emptyDraft;
  const sourceId = created.sourceId ?? readFlowState().sourceKey ?? known.sourceId;
  return { ...known, sourceId, destinationId: created.destinationId ?? known.destinationId };
}

export function useDraft(organizationId: string, created: NewParts) {
  const [draft, setDraft] = useState(() => startingDraft(organizationId, created));
  /** When the existing draft was last saved. Null if there was none or it was resumed. */
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
  /** Forgets the draft of a created connection. The page keeps showing it until the next page is there. */
  const finish = useCallback(() => {
    clearDraft(organizationId);
    clearFlowState();
  }, [organizationId]);
  const discard = useCallback(() => {
    finish();
    setDraft(emptyDraft);
    setLeftAt(null);
  }, [finish]);
  /** Restores a discarded draft. */
  const restore = useCallback((discarded: Draft) => change(discarded), [change]);
  return { draft, change, finish, discard, restore, leftAt };
}
