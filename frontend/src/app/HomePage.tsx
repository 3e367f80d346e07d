import { useSession } from '~/session/session-context';
import { ErrorPage } from './ErrorPage';
import { Splash } from './Splash';

/** The front door: the guard leads on as soon as the organizations are known. */
export function HomePage() {
  const { organizationsError } = useSession();
  return organizationsError === null ? <Splash /> : <ErrorPage error={organizationsError} />;
}
