import { IconCircleCheck, IconCircleDashed, IconLoader2 } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { icon } from '../../ui/icon';
import { ProviderMark } from '../../ui/ProviderMark';
import status from '../../ui/Status.module.css';
import styles from './GoogleAdsPage.module.css';

const STEPS = ['Google’s answer received', 'Access exchanged and stored', 'Ad accounts listed'];
/** The server does all three in one call; what is shown follows how long each usually takes. */
const USUAL_STEP_MS = 900;

export function Progress() {
  const [current, setCurrent] = useState(1);
  useEffect(() => {
    const timer = setInterval(() => setCurrent((step) => Math.min(step + 1, STEPS.length - 1)), USUAL_STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <div className={styles.head}>
        <ProviderMark provider="google_ads" size="lg" />
        <h1>Connecting Google Ads</h1>
      </div>
      <ol className={styles.steps} role="status">
        {STEPS.map((step, index) => (
          <li key={step} data-state={index < current ? 'done' : index === current ? 'now' : 'later'}>
            {index < current && <IconCircleCheck {...icon} color="var(--t-good)" />}
            {index === current && <IconLoader2 {...icon} className={status.turning} color="var(--t-accent)" />}
            {index > current && <IconCircleDashed {...icon} />}
            {step}
          </li>
        ))}
      </ol>
    </>
  );
}
