import { ProviderMark } from '~/components/status/ProviderMark';
import styles from './Landing.module.css';

export const LandingHead = ({ provider, title, note }: { provider: string; title: string; note?: React.ReactNode }) => (
  <div className={styles.head}>
    <ProviderMark provider={provider} size="lg" />
    <div>
      <h1>{title}</h1>
      {note && <p className="label">{note}</p>}
    </div>
  </div>
);

/** In the small window, once the page behind it has taken over. */
export const HandedOver = ({ provider }: { provider: string }) => (
  <>
    <LandingHead provider={provider} title="Signed in" />
    <p className="quiet">The page you came from goes on. You can close this window.</p>
  </>
);
