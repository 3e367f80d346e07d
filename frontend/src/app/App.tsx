import { MantineProvider } from '@mantine/core';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { ApiProblem } from '../api/problem';
import { SessionProvider } from '../session/SessionProvider';
import { resolver } from '../ui/theme/roles';
import { theme } from '../ui/theme/theme';
import { Guard } from './Guard';
import { AppRoutes } from './routes';
import { ToastHost } from './ToastHost';
import { useBuildRefresh } from './use-build-refresh';
import { useSupport } from './use-support';

/** A refusal stays a refusal; only a server in trouble or a dead line is worth asking again. */
const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status >= 500 || error.status === 429;

/** Draws nothing: Intercom brings its own button. */
function Support() {
  useSupport();
  return null;
}

export function App() {
  useBuildRefresh();
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolver} defaultColorScheme="auto">
      <SWRConfig value={{ shouldRetryOnError: isWorthRetrying, errorRetryCount: 3, errorRetryInterval: 4_000 }}>
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
