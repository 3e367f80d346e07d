import { Button } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { clearFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { clearDraft, readDraft } from '~/api/connections/connection-draft';

/** A step that was opened without the flow it belongs to: take up the kept draft, or begin anew. */
export function LostFlow({ organizationId }: { organizationId: string }) {
  const navigate = useNavigate();
  // The last step stands for the furthest that is open.
  const hasDraft = readDraft(organizationId) !== null;
  const startOver = () => {
    clearDraft(organizationId);
    clearFlowState();
    void navigate(paths.createConnection(organizationId, { step: 'source' }));
  };
  return (
    <EmptyState
      title="This step belongs to a flow that is not open here"
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
        ? 'It was opened by itself, or in another browser. What you had decided for a connection is still kept here.'
        : 'It was opened by itself, or in another browser, and no draft of a connection is kept here.'}
    </EmptyState>
  );
}
