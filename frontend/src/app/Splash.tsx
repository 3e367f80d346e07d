import { Logo } from '~/ui/data/Logo';

/** Shown until the session is loaded. */
export const Splash = () => (
  <div role="status" aria-label="Loading" style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh', opacity: 0.5 }}>
    <Logo size={32} />
  </div>
);
