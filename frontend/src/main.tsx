import { createRoot } from 'react-dom/client';
import { startTransition, StrictMode } from 'react';
import { App } from './app/App';
import { preloadLinkedPages, preloadPage } from './app/preload-page';
import { startIdentity } from './session/identity-start';
import { readUserState } from './session/user-state';
import './ui/theme/styles';

// Both start loading before the first render. The session and the page report a failure.
startIdentity().catch(() => undefined);
preloadPage(location, readUserState() !== null).catch(() => undefined);
preloadLinkedPages();

const root = document.getElementById('root');
// In a transition, React renders in short tasks, so that the page reacts to input meanwhile.
if (root)
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
