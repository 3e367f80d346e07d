import { MantineProvider } from '@mantine/core';
import { BrowserRouter } from 'react-router-dom';
import { mutate, SWRConfig } from 'swr';
import { isOrganizationDocument } from '~/api/http/keys';
import { ApiProblem, isSecondFactorRequired } from '~/api/http/problem';
import { SessionProvider } from '~/session/SessionProvider';
import { resolver } from '~/ui/theme/roles';
import { theme } from '~/ui/theme/theme';
import { Guard } from './Guard';
import { AppRoutes } from './routes';
import { ToastHost } from './ToastHost';
import { useBuildRefresh } from './use-build-refresh';
import { useSupport } from './use-support';

/** Retries network errors, server errors and rate limits only. */
const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status >= 500 || error.status === 429;

/** An organization can start to require a second factor while its pages are open. Its document is reloaded for the guard. */
function onError(error: unknown, key: string): void {
  const isDocument = key.startsWith('@"organization"');
  if (isSecondFactorRequired(error) && !isDocument) void mutate(isOrganizationDocument);
}

const swr = { shouldRetryOnError: isWorthRetrying, errorRetryCount: 3, errorRetryInterval: 4_000, onError };

/** Renders nothing, because Intercom adds its own button. */
function Support() {
  useSupport();
  return null;
}

export function App() {
  useBuildRefresh();
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolver} defaultColorScheme="auto">
      <SWRConfig value={swr}>
        <BrowserRouter>
          <SessionProvider>
            <Support />
            <Guard>
              <AppRoutes />
            </Guard>
          </SessionProvider>
          <ToastHost />
        </BrowserRouter>
      </SWRConfig>
    </MantineProvider>
  );
}
