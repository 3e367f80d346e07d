import { IconCircleCheck, IconLoader2 } from '@tabler/icons-react';
import { isAdPlatform, providerWords, signInName } from '~/domain/accounts/providers';
import { icon } from '~/ui/icon';
import status from '~/components/status/Status.module.css';
import styles from './Landing.module.css';
import { LandingHead } from './LandingHead';

/** The answer is here: the page was opened with it. The rest is one call of which nothing is known until it ends. */
export const Progress = ({ provider }: { provider: string }) => (
  <>
    <LandingHead provider={provider} title={`Connecting ${providerWords(provider).name}`} />
    <ol className={styles.steps} role="status">
      <li data-state="done">
        <IconCircleCheck {...icon} color="var(--t-good)" />
        {signInName(provider)}’s answer received
      </li>
      <li data-state="now">
        <IconLoader2 {...icon} className={status.turning} color="var(--t-accent)" />
        {isAdPlatform(provider) ? 'Exchanging it for access, and listing the ad accounts' : 'Exchanging it for access'}
      </li>
    </ol>
  </>
);
