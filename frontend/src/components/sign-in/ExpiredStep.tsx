import { Button } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { clearFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { clearDraft, readDraft } from '~/api/connections/connection-draft';

/** Shown for a step that was opened without its flow. Offers to resume the stored draft or to start again. */
export function ExpiredStep({ organizationId }: { organizationId: string }) {
  const navigate = useNavigate();
  // The review step redirects to the last step that the draft allows.
  const hasDraft = readDraft(organizationId) !== null;
  const startOver = () => {
    clearDraft(organizationId);
    clearFlowState();
    void navigate(paths.createConnection(organizationId, { step: 'source' }));
  };
  return (
    <EmptyState
      title="This setup step has expired"
      action={
        hasDraft ? (
          <Button onClick={() => void navigate(paths.createConnection(organizationId, { step: 'review' }))}>
            Resume the draft
          </Button>
        ) : (
          <Button onClick={startOver}>Create a connection</Button>
        )
      }
      link={
        hasDraft && (
          <Button variant="subtle" onClick={startOver}>
            Start over
          </Button>
        )
      }
    >
      {hasDraft
        ? 'Your connection draft is still stored in this browser. Resume it, or start over.'
        : 'This browser has no connection draft. Start again.'}
    </EmptyState>
  );
}
