import { createRoot } from 'react-dom/client';
import { StrictMode } from 'react';
import { App } from './app/App';
import { startIdentity } from './session/identity-start';
import './ui/theme/styles';

// Starts loading before the first render. The session reports a failure.
startIdentity().catch(() => undefined);

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
