import { IconAlertTriangle, IconInfoCircle, IconReceiptOff } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useSubscription } from '~/api/billing';
import type { Subscription } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { useOrganization } from '~/session/organization-context';
import { useAccessRefresh } from '~/session/use-access-refresh';
import { icon } from '~/ui/icon';
import { bannerOf } from './subscription-banner';
import styles from './SubscriptionBanner.module.css';

const icons = { danger: IconReceiptOff, warn: IconAlertTriangle, accent: IconInfoCircle };

/** How often an open page polls the subscription. More often while it is closed, so that a payment takes effect soon. */
const POLL_INTERVAL_MS = 5 * 60_000;
const POLL_INTERVAL_CLOSED_MS = 30_000;

const pollInterval = (latest: Subscription | undefined): number =>
  latest?.access === 'closed' ? POLL_INTERVAL_CLOSED_MS : POLL_INTERVAL_MS;

/** Shown above all pages when the subscription requires an action. */
export default function SubscriptionBanner() {
  const { id } = useOrganization();
  const { data } = useSubscription(id, pollInterval);
  useAccessRefresh(data);
  const now = useNow();
  const words = data ? bannerOf(data, now) : null;
  if (!words) return null;
  const BannerIcon = icons[words.tone];
  return (
    <aside className={styles.banner} data-tone={words.tone} aria-label="Subscription">
      <BannerIcon {...icon} className={styles.icon} />
      <p className={styles.text}>{words.text}</p>
      <Link to={paths.subscription(id)} className={styles.action}>
        {words.action}
      </Link>
    </aside>
  );
}
