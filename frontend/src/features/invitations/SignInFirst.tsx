import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { InvitationPreview } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import styles from './Invitation.module.css';

/** For signed-out users. The invitation is stored and opens again after the sign-in. */
export const SignInFirst = ({ invitation }: { invitation: InvitationPreview }) => (
  <>
    <p className={styles.next}>
      Use <strong>{invitation.email}</strong>. You return here afterwards.
    </p>
    <div className={styles.buttons}>
      <Button size="md" component={Link} to={paths.signUp()}>
        Create account
      </Button>
      <Button size="md" variant="default" component={Link} to={paths.login()}>
        Sign in
      </Button>
    </div>
  </>
);
