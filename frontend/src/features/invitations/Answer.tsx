import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { InvitationPreview } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useInvitationAnswers } from '~/components/organization/use-invitation-answers';
import { Notice } from '~/ui/feedback/Notice';
import styles from './Invitation.module.css';

interface AnswerProps {
  invitation: InvitationPreview;
  token: string | undefined;
  onRejected: (error: unknown) => void;
}

/** Buttons to accept, decline or postpone the invitation. */
export function Answer({ invitation, token, onRejected }: AnswerProps) {
  const { accept, reject, forget } = useInvitationAnswers();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<'accept' | 'reject' | null>(null);
  const respond = async (kind: 'accept' | 'reject', answer: () => Promise<void>) => {
    setBusy(kind);
    try {
      await answer();
    } catch (error) {
      setBusy(null);
      onRejected(error);
    }
  };
  const { needsVerifiedEmail, email, organizationName } = invitation;
  return (
    <>
      {needsVerifiedEmail && (
        <div className={styles.notice}>
          <Notice tone="warn" title="Verify your email address">
            Open the link in the email we sent to {email}. It verifies your address and opens this page again.
          </Notice>
        </div>
      )}
      <div className={styles.buttons}>
        <Button
          size="md"
          loading={busy === 'accept'}
          disabled={needsVerifiedEmail}
          onClick={() => void respond('accept', () => accept(invitation, token))}
        >
          Join {organizationName}
        </Button>
        <Button
          size="md"
          variant="default"
          loading={busy === 'reject'}
          disabled={needsVerifiedEmail}
          onClick={() => void respond('reject', () => reject(invitation, token).then(() => void navigate(paths.home())))}
        >
          {' '}
          Decline{' '}
        </Button>
        <Button
          size="md"
          variant="subtle"
          onClick={() => {
            forget();
            void navigate(paths.home());
          }}
        >
          Not now
        </Button>
      </div>
    </>
  );
}
