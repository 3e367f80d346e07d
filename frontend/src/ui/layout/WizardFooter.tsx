import { Button } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { focusField } from '~/lib/focus-field';
import type { FieldProblem } from '~/lib/focus-field';
import { formatMoment, formatTime, localDay } from '~/lib/dates';
import { useNow } from '~/lib/use-now';
import { icon } from '~/ui/icon';
import { FieldProblems } from '~/ui/feedback/FieldProblems';
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
  /** Another action is running, which its own button shows. */
  isDisabled?: boolean;
  /** Why the next step is disabled; null when it is enabled. */
  disabledReason?: string | null;
  /** The fields that need attention. */
  problems?: FieldProblem[];
  /** The next step waits for these fields: the button moves the focus to the first one instead. */
  waitsForFields?: boolean;
}

const NO_PROBLEMS: FieldProblem[] = [];

/** `at 09:14` for today; earlier times with the day. */
const savedWhen = (at: string, now: Date): string =>
  localDay(new Date(at)) === localDay(now) ? `at ${formatTime(at)}` : formatMoment(at, now);

const savedText = (savedAt: string, note: string | undefined, now: Date): string =>
  `Draft saved ${savedWhen(savedAt, now)}${note ? `, ${note}` : ''}`;

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
  isDisabled = false,
  disabledReason = null,
  problems = NO_PROBLEMS,
  waitsForFields = false,
}: WizardFooterProps) {
  const now = useNow(60_000);
  const hasProblems = problems.length > 0;
  const blocking = waitsForFields ? problems[0] : undefined;
  return (
    <>
      <div className={styles.spacer} data-problems={hasProblems || undefined} />
      <footer className={styles.footer} data-problems={hasProblems || undefined}>
        <div className={styles.inner} data-secondary={secondary !== undefined || undefined}>
          {onBack ? (
            <Button variant="default" leftSection={<IconArrowLeft {...icon} />} onClick={onBack}>
              <span className={styles.back}>{backLabel}</span>
            </Button>
          ) : (
            <span />
          )}
          <span className={styles.saved} data-closed={disabledReason !== null || hasProblems || undefined}>
            <FieldProblems problems={problems} />
            {!hasProblems && (disabledReason ?? (savedAt && savedText(savedAt, savedNote, now)))}
          </span>
          <span className={styles.actions}>
            {secondary}
            <Button
              rightSection={isLast ? undefined : <IconArrowRight {...icon} />}
              disabled={isDisabled || disabledReason !== null}
              data-disabled={blocking !== undefined || undefined}
              aria-disabled={blocking !== undefined || undefined}
              loading={isBusy}
              onClick={() => (blocking ? focusField(blocking) : onNext())}
            >
              {nextLabel}
            </Button>
          </span>
        </div>
      </footer>
    </>
  );
}
