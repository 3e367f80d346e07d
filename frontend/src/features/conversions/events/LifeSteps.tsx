import { IconCircleCheck } from '@tabler/icons-react';
import type { ConversionEventDetail } from '~/api/types';
import { eventIcons, nextStepIcon } from '~/components/status/EventStatus';
import { lifeOf } from '~/domain/conversions/event-life';
import type { LifeStep } from '~/domain/conversions/event-life';
import { eventStateTable } from '~/domain/conversions/event-state';
import { formatDay, formatExact, formatTimeWithSeconds, localDay } from '~/lib/dates';
import { formatFuture } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';
import { icon } from '~/ui/icon';
import styles from './EventLife.module.css';

function Mark({ step: { state, isFuture } }: { step: LifeStep }) {
  const isReceived = state === 'received';
  const StepIcon = isFuture ? nextStepIcon : isReceived || state === 'queued' ? IconCircleCheck : eventIcons[state];
  const tone = isFuture ? 'accent' : isReceived || state === 'queued' ? 'good' : eventStateTable[state].tone;
  return <StepIcon {...icon} color={tone === 'idle' ? 'var(--t-ink-3)' : `var(--t-${tone})`} aria-hidden />;
}

/** The steps of an event from its arrival to the platform's answer. */
export function LifeSteps({ event }: { event: ConversionEventDetail }) {
  const now = useNow();
  return (
    <ol className={styles.steps} aria-label="Life of the event">
      {lifeOf(event).map((step, index) => (
        <li key={index}>
          <Mark step={step} />
          <span>
            <span className={styles.title}>{step.title}</span>
            <span className={styles.text}>
              {step.text}
              {step.requestId && (
                <>
                  , request <code>{step.requestId}</code>
                </>
              )}
            </span>
          </span>
          <time dateTime={step.at} title={formatExact(step.at)}>
            {step.isFuture ? (
              formatFuture(step.at, now)
            ) : (
              <>
                <span className={styles.day}>{formatDay(localDay(new Date(step.at)), now)}, </span>
                {formatTimeWithSeconds(step.at)}
              </>
            )}
          </time>
        </li>
      ))}
    </ol>
  );
}
