import { Logo } from '~/ui/data/Logo';

/** For the moment before it is known who is here. */
export const Splash = () => (
  <div role="status" aria-label="Loading" style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh', opacity: 0.5 }}>
    <Logo size={32} />
  </div>
);
