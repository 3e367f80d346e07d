import { Button } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { formatTime } from '../lib/dates';
import { icon } from './icon';
import styles from './WizardFooter.module.css';

interface WizardFooterProps {
  savedAt: string | null;
  onBack?: () => void;
  onNext: () => void;
  nextLabel: string;
  isLast?: boolean;
  isBusy?: boolean;
  /** Why the wizard cannot go on; null when it can. */
  closedBecause?: string | null;
  onStartOver?: () => void;
}

/** Stays in sight: back, what is saved, on. */
export function WizardFooter({
  savedAt,
  onBack,
  onNext,
  nextLabel,
  isLast,
  isBusy,
  closedBecause = null,
  onStartOver,
}: WizardFooterProps) {
  return (
    <>
      <div className={styles.room} />
      <footer className={styles.footer}>
        <div className={styles.inner}>
          {onBack ? (
            <Button variant="default" leftSection={<IconArrowLeft {...icon} />} onClick={onBack}>
              Back
            </Button>
          ) : (
            <span />
          )}
          <span className={styles.saved} data-closed={closedBecause !== null || undefined}>
            {closedBecause ?? (savedAt && `Draft saved at ${formatTime(savedAt)}`)}
            {onStartOver && savedAt && (
              <button type="button" className={styles.over} onClick={onStartOver}>
                Start over
              </button>
            )}
          </span>
          <Button
            rightSection={isLast ? undefined : <IconArrowRight {...icon} />}
            disabled={closedBecause !== null}
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
