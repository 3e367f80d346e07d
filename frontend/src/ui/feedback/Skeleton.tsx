import styles from './Skeleton.module.css';

interface SkeletonProps {
  width: number | string;
  height?: number;
  radius?: number;
}

/** One bar of a skeleton. A skeleton has the rows and widths of the content that it replaces. */
export const Skeleton = ({ width, height = 12, radius = 4 }: SkeletonProps) => (
  <span className={styles.bar} style={{ width, height, borderRadius: radius }} />
);

export const Loading = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div role="status" aria-label={label} aria-busy>
    {children}
  </div>
);

/** The skeleton of a table that is loading. */
export const TableSkeleton = ({ label, rows, widths }: { label: string; rows: number; widths: (number | string)[] }) => (
  <Loading label={label}>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} className={styles.row}>
        {widths.map((width, index) => (
          <Skeleton key={index} width={width} />
        ))}
      </div>
    ))}
  </Loading>
);
