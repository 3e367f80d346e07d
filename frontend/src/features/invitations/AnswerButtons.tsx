import { Button } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import type { InvitationPreview } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useInvitationAnswers } from '~/components/organization/use-invitation-answers';
import { Notice } from '~/ui/feedback/Notice';
import styles from './Invitation.module.css';

interface AnswerButtonsProps {
  invitation: InvitationPreview;
  token: string | undefined;
  onRejected: (error: unknown) => void;
}

/** Buttons to accept, decline or postpone the invitation. */
export function AnswerButtons({ invitation, token, onRejected }: AnswerButtonsProps) {
  const { accept, reject, forget } = useInvitationAnswers();
  const navigate = useNavigate();
  const { run, busyWith } = useAction<'accept' | 'reject'>({ onError: onRejected, leavesPage: true });
  const decline = async () => {
    await reject(invitation, token);
    void navigate(paths.home());
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
          loading={busyWith === 'accept'}
          disabled={needsVerifiedEmail}
          onClick={() => void run(() => accept(invitation, token), 'accept')}
        >
          Join {organizationName}
        </Button>
        <Button
          size="md"
          variant="default"
          loading={busyWith === 'reject'}
          disabled={needsVerifiedEmail}
          onClick={() => void run(decline, 'reject')}
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
