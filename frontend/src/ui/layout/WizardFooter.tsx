import { Button } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { formatMoment, formatTime, localDay } from '~/lib/dates';
import { useNow } from '~/lib/use-now';
import { icon } from '~/ui/icon';
import styles from './WizardFooter.module.css';

interface WizardFooterProps {
  savedAt: string | null;
  onBack?: () => void;
  backLabel?: string;
  onNext: () => void;
  nextLabel: string;
  isLast?: boolean;
  isBusy?: boolean;
  /** Why the wizard cannot go on; null when it can. */
  disabledReason?: string | null;
}

/** `at 09:14` today; with the day before that. */
const savedWhen = (at: string, now: Date): string =>
  localDay(new Date(at)) === localDay(now) ? `at ${formatTime(at)}` : formatMoment(at, now);

/** Stays in sight: back, what is saved, on. */
export function WizardFooter({
  savedAt,
  onBack,
  backLabel = 'Back',
  onNext,
  nextLabel,
  isLast,
  isBusy,
  disabledReason = null,
}: WizardFooterProps) {
  const now = useNow(60_000);
  return (
    <>
      <div className={styles.room} />
      <footer className={styles.footer}>
        <div className={styles.inner}>
          {onBack ? (
            <Button variant="default" leftSection={<IconArrowLeft {...icon} />} onClick={onBack}>
              {backLabel}
            </Button>
          ) : (
            <span />
          )}
          <span className={styles.saved} data-closed={disabledReason !== null || undefined}>
            {disabledReason ?? (savedAt && `Draft saved ${savedWhen(savedAt, now)}`)}
          </span>
          <Button
            rightSection={isLast ? undefined : <IconArrowRight {...icon} />}
            disabled={disabledReason !== null}
            loading={isBusy}
            onClick={onNext}
          >
            {nextLabel}
          </Button>
        </div>
      </footer>
    </>
  );
}
