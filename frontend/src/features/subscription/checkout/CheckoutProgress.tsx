import { IconCircleCheck, IconCircleDashed, IconLoader2 } from '@tabler/icons-react';
import { useNow } from '~/lib/use-now';
import { icon } from '~/ui/icon';
import status from '~/components/status/Status.module.css';
import { CHECK_FOR_MS } from './checkout-verdict';
import styles from './Checkout.module.css';

const REDRAW_MS = 500;
const STEPS = ['Back from Stripe', 'Payment confirmed', 'Plan active'];

function StepMark({ index, current }: { index: number; current: number }) {
  if (index < current) return <IconCircleCheck {...icon} color="var(--t-good)" />;
  if (index === current) return <IconLoader2 {...icon} className={status.turning} color="var(--t-accent)" />;
  return <IconCircleDashed {...icon} />;
}

/** Elapsed and maximum time of the payment check. */
export function CheckoutProgress({ startedAtMs, isConfirmed }: { startedAtMs: number; isConfirmed: boolean }) {
  const now = useNow(REDRAW_MS);
  const elapsedMs = Math.min(CHECK_FOR_MS, Math.max(0, now.getTime() - startedAtMs));
  const [seconds, most] = [Math.floor(elapsedMs / 1000), CHECK_FOR_MS / 1000];
  const current = isConfirmed ? 2 : 1;
  return (
    <div className={styles.progress}>
      <p className="quiet" role="status">
        {isConfirmed ? 'Payment confirmed.' : 'Checking the payment with Stripe. This usually takes a few seconds.'}
      </p>
      <div
        role="progressbar"
        aria-label="Confirmation"
        aria-valuemin={0}
        aria-valuemax={most}
        aria-valuenow={seconds}
        aria-valuetext={`${STEPS[current]}, ${seconds} of at most ${most} seconds`}
        className={styles.track}
      >
        <div className={styles.fill} style={{ transform: `scaleX(${isConfirmed ? 1 : elapsedMs / CHECK_FOR_MS})` }} />
      </div>
      <p className="label">
        {seconds} of at most {most} s
      </p>
      <ol className={styles.steps}>
        {STEPS.map((step, index) => (
          <li key={step} data-state={index < current ? 'done' : index === current ? 'now' : 'later'}>
            <StepMark index={index} current={current} />
            {step}
          </li>
        ))}
      </ol>
    </div>
  );
}
