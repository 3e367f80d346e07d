import type { Submission } from '~/api/types';
import { DescriptionList } from '~/ui/data/DescriptionList';
import styles from './CustomApp.module.css';
import { accessWord, fieldWords } from './request-form';

/** A submitted request, read-only. */
export const SubmittedRequest = ({ submission }: { submission: Submission }) => (
  <div className={styles.read}>
    <DescriptionList
      facts={[
        { label: fieldWords.title, value: submission.title },
        {
          label: fieldWords.documentation,
          value: submission.documentation && (
            <a href={submission.documentation} target="_blank" rel="noreferrer noopener">
              {submission.documentation}
            </a>
          ),
        },
        { label: fieldWords.wantedData, value: <span className={styles.long}>{submission.wantedData}</span> },
        { label: fieldWords.accessKind, value: accessWord(submission.accessKind) },
        { label: fieldWords.contactEmail, value: submission.contactEmail },
      ]}
    />
  </div>
);
