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
import { ErrorNotice, ErrorText } from '~/components/feedback/ErrorNotice';
import { AnswerButtons } from './AnswerButtons';
import { EndedInvitation, NoInvitation } from './EndedInvitation';
import { stageOf } from './invitation-stage';
import { InvitationFacts } from './InvitationFacts';
import styles from './Invitation.module.css';
import { OtherAccount } from './OtherAccount';
import { SignInFirst } from './SignInFirst';

const InvitationSkeleton = () => (
  <Loading label="Loading the invitation">
    <div className={styles.bones}>
      <Skeleton width={40} height={40} />
      <Skeleton width="60%" height={20} />
      <Skeleton width="80%" />
      <Skeleton width="70%" />
      <Skeleton width={220} height={40} radius={6} />
    </div>
  </Loading>
);

const isNotAvailable = (error: unknown): boolean => error instanceof ApiProblem && [400, 401, 404].includes(error.status);

/** Stores the opened invitation until it is answered, through sign-in and sign-up. Replaces an earlier callback page. */
function useRemembered(link: PendingInvitationLink, hasEnded: boolean): void {
  const { organizationId, invitationId, token } = link;
  useEffect(() => {
    if (hasEnded) clearPendingInvitation();
    else savePendingInvitation({ organizationId, invitationId, token });
    clearCallback();
  }, [organizationId, invitationId, token, hasEnded]);
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
  useRemembered({ organizationId, invitationId: id, token }, stage === 'ended');
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
