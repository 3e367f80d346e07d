import { Skeleton, Loading } from '~/ui/feedback/Skeleton';

export const ConnectionSkeleton = () => (
  <Loading label="Loading the connection">
    <div style={{ display: 'grid', gap: 10 }}>
      <Skeleton width={84} height={10} />
      <Skeleton width={220} height={20} />
      <Skeleton width={320} height={12} />
    </div>
    <div style={{ display: 'flex', gap: 24, margin: '24px 0 20px', paddingBottom: 12, borderBottom: '1px solid var(--t-line)' }}>
      {[64, 66, 40, 60].map((width, index) => (
        <Skeleton key={index} width={width} />
      ))}
    </div>
    <div style={{ display: 'grid', gridTemplateColumns: 'repeat(4, 1fr)', gap: 16, marginBottom: 32 }}>
      {[0, 1, 2, 3].map((index) => (
        <div key={index} style={{ display: 'grid', gap: 8 }}>
          <Skeleton width={96} height={10} />
          <Skeleton width={130} height={20} />
          <Skeleton width={110} height={10} />
        </div>
      ))}
    </div>
    <Skeleton width="100%" height={220} radius={6} />
  </Loading>
);
