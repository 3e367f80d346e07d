import { useElementSize } from '@mantine/hooks';

/** While another selection loads, keeps the height of the content before it, so that nothing below moves. */
export function KeepHeight({ isLoading, children }: { isLoading: boolean; children: React.ReactNode }) {
  const { ref, height } = useElementSize();
  return (
    <div ref={ref} style={{ minHeight: isLoading ? height : undefined }}>
      {children}
    </div>
  );
}
