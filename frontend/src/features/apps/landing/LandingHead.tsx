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

/** Shown in the pop-up window after the opening page has received the result. */
export const HandedOver = ({ provider }: { provider: string }) => (
  <>
    <LandingHead provider={provider} title="Signed in" />
    <p className="quiet">Continue on the original page. You can close this window.</p>
  </>
);
