import { IconCircleCheck, IconLoader2 } from '@tabler/icons-react';
import { isAdPlatform, providerWords, signInName } from '~/domain/accounts/providers';
import { icon } from '~/ui/icon';
import status from '~/components/status/Status.module.css';
import styles from './Landing.module.css';
import { LandingHead } from './LandingHead';

/** The platform's response is received. The remaining work is one request that reports no progress. */
export const Progress = ({ provider }: { provider: string }) => (
  <>
    <LandingHead provider={provider} title={`Connecting ${providerWords(provider).name}`} />
    <ol className={styles.steps} role="status">
      <li data-state="done">
        <IconCircleCheck {...icon} color="var(--t-good)" />
        Response from {signInName(provider)} received
      </li>
      <li data-state="now">
        <IconLoader2 {...icon} className={status.turning} color="var(--t-accent)" />
        {isAdPlatform(provider) ? 'Completing the sign-in and listing the ad accounts' : 'Completing the sign-in'}
      </li>
    </ol>
  </>
);
