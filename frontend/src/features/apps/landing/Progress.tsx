import { IconCircleCheck, IconCircleDashed, IconLoader2 } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { providerWords, signInName } from '../../../lib/providers';
import { icon } from '../../../ui/icon';
import status from '../../../ui/Status.module.css';
import styles from './Landing.module.css';
import { LandingHead } from './LandingHead';

const stepsOf = (platform: string) => [`${platform}’s answer received`, 'Access exchanged and stored', 'Ad accounts listed'];
/** The server does all three in one call; what is shown follows how long each usually takes. */
const USUAL_STEP_MS = 900;

export function Progress({ provider }: { provider: string }) {
  const steps = stepsOf(signInName(provider));
  const [current, setCurrent] = useState(1);
  useEffect(() => {
    const timer = setInterval(() => setCurrent((step) => Math.min(step + 1, steps.length - 1)), USUAL_STEP_MS);
    return () => clearInterval(timer);
  }, [steps.length]);
  return (
    <>
      <LandingHead provider={provider} title={`Connecting ${providerWords(provider).name}`} />
      <ol className={styles.steps} role="status">
        {steps.map((step, index) => (
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
