import { createRoot } from 'react-dom/client';
import { StrictMode } from 'react';
import { App } from './app/App';
import { loadIdentity } from './session/load-identity';
import './ui/theme/styles';

// Starts loading the settings and the sign-in script before the first render. The session reports a failure.
loadIdentity().catch(() => undefined);

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
