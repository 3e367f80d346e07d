import { Button } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { formatMoment, formatTime, localDay } from '~/lib/dates';
import { useNow } from '~/lib/use-now';
import { icon } from '~/ui/icon';
import styles from './WizardFooter.module.css';

interface WizardFooterProps {
  savedAt: string | null;
  /** What of the input is not part of the draft. */
  savedNote?: string;
  onBack?: () => void;
  backLabel?: string;
  /** A second action beside the next step. On a narrow screen it gives way to the reason of a disabled next step. */
  secondary?: React.ReactNode;
  onNext: () => void;
  nextLabel: string;
  isLast?: boolean;
  isBusy?: boolean;
  /** Why the next step is disabled; null when it is enabled. */
  disabledReason?: string | null;
}

/** `at 09:14` for today; earlier times with the day. */
const savedWhen = (at: string, now: Date): string =>
  localDay(new Date(at)) === localDay(now) ? `at ${formatTime(at)}` : formatMoment(at, now);

/** The fixed footer of the wizard: back, when the draft was saved, and next. */
export function WizardFooter({
  savedAt,
  savedNote,
  onBack,
  backLabel = 'Back',
  secondary,
  onNext,
  nextLabel,
  isLast,
  isBusy,
  disabledReason = null,
}: WizardFooterProps) {
  const now = useNow(60_000);
  return (
    <>
      <div className={styles.spacer} />
      <footer className={styles.footer}>
        <div className={styles.inner} data-secondary={secondary !== undefined || undefined}>
          {onBack ? (
            <Button variant="default" leftSection={<IconArrowLeft {...icon} />} onClick={onBack}>
              <span className={styles.back}>{backLabel}</span>
            </Button>
          ) : (
            <span />
          )}
          <span className={styles.saved} data-closed={disabledReason !== null || undefined}>
            {disabledReason ?? (savedAt && `Draft saved ${savedWhen(savedAt, now)}${savedNote ? `, ${savedNote}` : ''}`)}
          </span>
          <span className={styles.actions}>
            {secondary}
            <Button
              rightSection={isLast ? undefined : <IconArrowRight {...icon} />}
              disabled={disabledReason !== null}
              loading={isBusy}
              onClick={onNext}
            >
              {nextLabel}
            </Button>
          </span>
        </div>
      </footer>
    </>
  );
}
