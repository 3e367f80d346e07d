import type { Connection } from '~/api/types';
import { Loading, Skeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import styles from './ProofSheet.module.css';
import { FIRST_SHOWN } from './ProofTable';

const WIDTHS = ['30%', '15%', '15%', 60];

/** As high as the proof of all accounts and streams, so that nothing below it moves when it arrives. */
export function ProofSkeleton({ connection }: { connection: Connection }) {
  const streams = connection.streams.filter(({ isSelected }) => isSelected).length;
  const lines = streams * connection.source.accounts.length;
  return (
    <div>
      <Section title="Verification">
        <Loading label="Loading the verification">
          <div className={styles.loadingHead} data-streams={streams > 1 || undefined}>
            <Skeleton width="40%" height={16} />
          </div>
          {Array.from({ length: Math.min(lines, FIRST_SHOWN) }, (_, line) => (
            <div key={line} className={styles.loadingLine}>
              {WIDTHS.map((width, index) => (
                <Skeleton key={index} width={width} />
              ))}
            </div>
          ))}
          <div className={styles.loadingEnd} data-more={lines > FIRST_SHOWN || undefined} />
        </Loading>
      </Section>
    </div>
  );
}
