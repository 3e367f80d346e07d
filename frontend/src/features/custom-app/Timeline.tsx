import { IconCircleCheck, IconCircleDashed, IconCircleX, IconEye, IconPencil, IconSend } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { Submission } from '~/api/types';
import type { Tone } from '~/domain/connections/connection-state';
import { formatExact, formatMoment } from '~/lib/dates';
import { useNow } from '~/lib/use-now';
import { Section } from '~/ui/layout/Page';
import { Status } from '~/components/status/Status';
import styles from './CustomApp.module.css';

type State = Submission['state'];

const table: Record<State, { word: string; tone: Tone; icon: Icon }> = {
  draft: { word: 'Draft', tone: 'idle', icon: IconPencil },
  submitted: { word: 'Submitted', tone: 'accent', icon: IconSend },
  in_review: { word: 'In review', tone: 'accent', icon: IconEye },
  available: { word: 'Available', tone: 'good', icon: IconCircleCheck },
  declined: { word: 'Declined', tone: 'danger', icon: IconCircleX },
};

/** Steps that follow each state. */
const next: Record<State, string[]> = {
  draft: ['Submitted', 'In review', 'Available or declined'],
  submitted: ['In review', 'Available or declined'],
  in_review: ['Available or declined'],
  available: [],
  declined: [],
};

/** Past states of the request and the steps that follow. */
export function Timeline({ submission }: { submission: Submission }) {
  const now = useNow(300_000);
  return (
    <Section title="Status">
      <ol className={styles.timeline}>
        {submission.steps.map(({ state, at, actor, note }) => (
          <li key={`${state} ${at}`}>
            <Status icon={table[state].icon} tone={table[state].tone}>
              {table[state].word}
            </Status>
            <span className="label">
              <time dateTime={at} title={formatExact(at)}>
                {formatMoment(at, now)}
              </time>
              , by {actor ?? 'the operator'}
            </span>
            {note && <p className={styles.noteText}>{note}</p>}
          </li>
        ))}
        {next[submission.state].map((word) => (
          <li key={word}>
            <Status icon={IconCircleDashed} tone="idle">
              {word}
            </Status>
          </li>
        ))}
      </ol>
    </Section>
  );
}
