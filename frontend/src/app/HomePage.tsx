import { useSession } from '~/session/session-context';
import { ErrorPage } from './ErrorPage';
import { Splash } from './Splash';

/** The home page. The guard redirects as soon as the organizations are loaded. */
export function HomePage() {
  const { organizationsError } = useSession();
  return organizationsError === null ? <Splash /> : <ErrorPage error={organizationsError} />;
}
