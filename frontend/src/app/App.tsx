import { MantineProvider } from '@mantine/core';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { ApiProblem } from '~/api/http/problem';
import { onLoaded } from '~/api/read-cache/read-cache';
import { followUses } from '~/api/read-cache/staleness';
import { SessionProvider } from '~/session/SessionProvider';
import { resolver } from '~/ui/theme/roles';
import { theme } from '~/ui/theme/theme';
import { Guard } from './Guard';
import { LeaveGuard } from './LeaveGuard';
import { onFetchError } from './on-fetch-error';
import { AppRoutes } from './routes';
import { ToastHost } from './ToastHost';
import { useProductEvents } from './use-analytics';
import { useBuildRefresh } from './use-build-refresh';
import { useSupport } from './use-support';

/** Retries network errors, server errors and rate limits only. */
const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status >= 500 || error.status === 429;

const swr = {
  shouldRetryOnError: isWorthRetrying,
  errorRetryCount: 3,
  errorRetryInterval: 4_000,
  onError: onFetchError,
  onSuccess: onLoaded,
  use: [followUses],
};

/** Renders nothing, because Intercom adds its own button. */
function Support() {
  useSupport();
  return null;
}

export function App() {
  useBuildRefresh();
  useProductEvents();
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolver} defaultColorScheme="auto">
      <SWRConfig value={swr}>
        <BrowserRouter>
          <LeaveGuard>
            <SessionProvider>
              <Support />
              <Guard>
                <AppRoutes />
              </Guard>
            </SessionProvider>
          </LeaveGuard>
          <ToastHost />
        </BrowserRouter>
      </SWRConfig>
    </MantineProvider>
  );
}
