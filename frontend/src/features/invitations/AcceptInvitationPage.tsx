import { useEffect, useState } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { useInvitation } from '~/api/invitations';
import { ApiProblem } from '~/api/http/problem';
import { useTitle } from '~/lib/use-title';
import { clearCallback } from '~/session/callback';
import { clearPendingInvitation, savePendingInvitation } from '~/session/pending-invitation';
import type { PendingInvitationLink } from '~/session/pending-invitation';
import { useSession } from '~/session/session-context';
import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { AnswerButtons } from './AnswerButtons';
import { EndedInvitation, NoInvitation } from './EndedInvitation';
import { stageOf } from './invitation-stage';
import type { InvitationStage } from './invitation-stage';
import { InvitationFacts } from './InvitationFacts';
import styles from './Invitation.module.css';
import { OtherAccount } from './OtherAccount';
import { SignInFirst } from './SignInFirst';

const InvitationSkeleton = () => (
  <Loading label="Loading the invitation">
    <div className={styles.skeleton}>
      <Skeleton width={40} height={40} />
      <Skeleton width="60%" height={20} />
      <Skeleton width="80%" />
      <Skeleton width="70%" />
      <Skeleton width={220} height={40} radius={6} />
    </div>
  </Loading>
);

const isNotAvailable = (error: unknown): boolean => error instanceof ApiProblem && [400, 401, 404].includes(error.status);

/**
 * Stores an open invitation until it is answered, through sign-in and sign-up. Nothing is stored of one that does not exist or has
 * ended. Replaces an earlier callback page.
 */
function useRemembered(link: PendingInvitationLink, isOpen: boolean | null): void {
  const { organizationId, invitationId, token } = link;
  useEffect(() => {
    if (isOpen === false) clearPendingInvitation();
    if (isOpen === true) savePendingInvitation({ organizationId, invitationId, token });
  }, [organizationId, invitationId, token, isOpen]);
  useEffect(() => clearCallback(), [organizationId, invitationId, token]);
}

/** Whether the invitation can be answered; null while it is unknown. */
function isOpenInvitation(stage: InvitationStage | undefined, error: unknown): boolean | null {
  if (stage !== undefined) return stage !== 'ended';
  return isNotAvailable(error) ? false : null;
}

export default function AcceptInvitationPage() {
  useTitle('Invitation');
  const { organizationId = '', id = '' } = useParams();
  const [parameters] = useSearchParams();
  const token = parameters.get('token');
  const { user } = useSession();
  const [failure, setFailure] = useState<unknown>(null);
  const { data: invitation, error, mutate } = useInvitation(id, token ?? undefined, user?.id ?? null);
  const stage = invitation && stageOf(invitation);
  useRemembered({ organizationId, invitationId: id, token }, isOpenInvitation(stage, error));
  if (error !== undefined && !invitation) {
    if (isNotAvailable(error)) return <NoInvitation />;
    return <ErrorNotice error={error} title="Error checking invitation" onRetry={() => void mutate()} />;
  }
  if (!invitation) return <InvitationSkeleton />;
  // Also shown when the invitation has ended, because it is the response to the user's action.
  const errorNotice = failure !== null && (
    <div className={styles.failure}>
      <ErrorText error={failure} />
    </div>
  );
  if (stage === 'ended')
    return (
      <>
        {errorNotice}
        <EndedInvitation invitation={invitation} />
      </>
    );
  const showFailure = (thrown: unknown) => {
    setFailure(thrown);
    void mutate();
  };
  return (
    <>
      {errorNotice}
      <InvitationFacts invitation={invitation} />
      {stage === 'signed-out' && <SignInFirst invitation={invitation} />}
      {stage === 'other-account' && <OtherAccount invitation={invitation} />}
      {stage === 'yours' && <AnswerButtons invitation={invitation} token={token ?? undefined} onRejected={showFailure} />}
    </>
  );
}
