import styles from './Skeleton.module.css';

interface BoneProps {
  width: number | string;
  height?: number;
  radius?: number;
}

/** A piece of a skeleton. Skeletons copy the rows and widths of what comes. */
export const Skeleton = ({ width, height = 12, radius = 4 }: BoneProps) => (
  <span className={styles.bone} style={{ width, height, borderRadius: radius }} />
);

export const Loading = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div role="status" aria-label={label} aria-busy>
    {children}
  </div>
);

/** A table that has not come yet. */
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
