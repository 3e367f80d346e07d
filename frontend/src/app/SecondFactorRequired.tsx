import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useSession } from '~/session/session-context';
import { useEnrolledFactors } from '~/session/second-factor/use-enrolled-factors';
import { useNewSignIn } from '~/session/use-new-sign-in';
import { Logo } from '~/ui/data/Logo';
import { Frame } from './ErrorPage';

/** Replaces all pages of an organization that requires a second factor, when the sign-in had none. */
export default function SecondFactorRequired({ organizationId }: { organizationId: string }) {
  useTitle('Two-step sign-in is required');
  const { user } = useSession();
  const { data: factors } = useEnrolledFactors();
  const signInAgain = useNewSignIn();
  const organizations = user?.organizations ?? [];
  const name = organizations.find((organization) => organization.organizationId === organizationId)?.companyName;
  const hasFactor = factors !== undefined && factors.length > 0;
  return (
    <Frame
      mark={<Logo size={40} color="var(--t-ink-3)" />}
      title="Two-step sign-in is required"
      actions={
        <>
          {hasFactor ? (
            <Button size="md" onClick={() => void signInAgain(paths.connections(organizationId))}>
              Sign in again
            </Button>
          ) : (
            <Button size="md" component={Link} to={paths.account()}>
              Set up two-step sign-in
            </Button>
          )}
          <Button size="md" variant="default" component={Link} to={paths.organizations()}>
            All organizations
          </Button>
        </>
      }
    >
      {name ?? 'This organization'} requires its owners and admins to sign in with a code of an authenticator app.{' '}
      {hasFactor ? 'Sign in again with your authenticator app.' : 'Setup takes about a minute.'}
    </Frame>
  );
}
