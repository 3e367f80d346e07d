import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router-dom';
import type { InvitationPreview } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { saveCallback } from '~/session/callback';
import { clearPendingInvitation } from '~/session/pending-invitation';
import { useSession } from '~/session/session-context';
import { BrokenLogo } from '~/ui/data/Logo';
import styles from './Invitation.module.css';
import { describeEnding, newInvitationMail } from './invitation-stage';
import { SwitchAccount } from './SwitchAccount';

interface FrameProps {
  title: string;
  text: React.ReactNode;
  actions: React.ReactNode;
}

const Frame = ({ title, text, actions }: FrameProps) => (
  <div className={styles.ended}>
    <BrokenLogo />
    <h1>{title}</h1>
    <p className={styles.lead}>{text}</p>
    <div className={styles.buttons}>{actions}</div>
  </div>
);

function ExitButton() {
  const { user } = useSession();
  return user ? (
    <Button size="md" variant="default" component={Link} to={paths.home()} onClick={clearPendingInvitation}>
      Go to your organizations
    </Button>
  ) : (
    <Button size="md" variant="default" component={Link} to={paths.login()}>
      Sign in
    </Button>
  );
}

export function EndedInvitation({ invitation }: { invitation: InvitationPreview }) {
  const { user } = useSession();
  const { state, organizationId, organizationName, isForYou } = invitation;
  if (state === 'pending') return null;
  const isMember = user?.organizations?.some((organization) => organization.organizationId === organizationId);
  const isFormerMember = state === 'accepted' && isForYou === true && isMember === false;
  const { title, text } = describeEnding({ ...invitation, state }, { isFormerMember });
  const open = state === 'accepted' && isForYou && !isFormerMember && (
    <Button size="md" component={Link} to={paths.connections(organizationId)}>
      Open {organizationName}
    </Button>
  );
  return (
    <Frame
      title={title}
      text={text}
      actions={
        open || (
          <>
            {(state !== 'accepted' || isFormerMember) && (
              <Button size="md" component="a" href={newInvitationMail(invitation)}>
                Ask for a new invitation
              </Button>
            )}
            {isForYou === false && <SwitchAccount isSecondary size="md" />}
            <ExitButton />
          </>
        )
      }
    />
  );
}

/** The invitation does not exist, is for another user or its link was replaced. The page does not reveal which. */
export function NoInvitation() {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  // Without its token, an invitation is only shown to the invited user.
  const returnAfterSignIn = () => saveCallback(pathname + search);
  if (!user)
    return (
      <Frame
        title="No pending invitations found"
        text="Sign in with the email address that was invited, or open the newest link you received. A resent invitation replaces its link."
        actions={
          <>
            <Button size="md" component={Link} to={paths.login()} onClick={returnAfterSignIn}>
              Sign in
            </Button>
            <Button size="md" variant="default" component={Link} to={paths.signUp()} onClick={returnAfterSignIn}>
              Create account
            </Button>
          </>
        }
      />
    );
  return (
    <Frame
      title="No pending invitations found"
      text={
        <>
          There is no invitation for {user.email}. Open the newest link you received, or sign in with the address that was
          invited.
        </>
      }
      actions={
        <>
          <SwitchAccount size="md" />
          <ExitButton />
        </>
      }
    />
  );
}
