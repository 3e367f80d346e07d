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
  onRefused: (error: unknown) => void;
}

/** Yes or no, by the person it is for. */
export function Answer({ invitation, token, onRefused }: AnswerProps) {
  const { accept, reject, forget } = useInvitationAnswers();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<'accept' | 'reject' | null>(null);
  const give = async (kind: 'accept' | 'reject', answer: () => Promise<void>) => {
    setBusy(kind);
    try {
      await answer();
    } catch (error) {
      setBusy(null);
      onRefused(error);
    }
  };
  const { needsVerifiedEmail, email, organizationName } = invitation;
  return (
    <>
      {needsVerifiedEmail && (
        <div className={styles.notice}>
          <Notice tone="warn" title="Open the link of the mail">
            Your e-mail is not verified yet. The link that was sent to {email} proves that it is yours, and opens this page again.
          </Notice>
        </div>
      )}
      <div className={styles.buttons}>
        <Button
          size="md"
          loading={busy === 'accept'}
          disabled={needsVerifiedEmail}
          onClick={() => void give('accept', () => accept(invitation, token))}
        >
          Join {organizationName}
        </Button>
        <Button
          size="md"
          variant="default"
          loading={busy === 'reject'}
          disabled={needsVerifiedEmail}
          onClick={() => void give('reject', () => reject(invitation, token).then(() => void navigate(paths.home())))}
        >
          Reject
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
