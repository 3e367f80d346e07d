import { Button } from '@mantine/core';
import { ErrorText } from '~/components/feedback/ErrorText';

/** A list that is loaded page by page, as `useSWRInfinite` returns it. */
interface Pages {
  size: number;
  setSize: (size: number) => unknown;
  isValidating: boolean;
  /** Why the last page could not be loaded. A list that shows the error above its rows leaves it out. */
  failure?: { error: unknown; retry: () => unknown } | null;
}

interface LoadMoreButtonProps {
  pages: Pages;
  hasMore: boolean;
  label?: string;
}

/** Loads the next page of a list, or the failed one again. Renders nothing after the last page. */
export function LoadMoreButton({ pages, hasMore, label = 'Load more' }: LoadMoreButtonProps) {
  const { size, setSize, isValidating, failure = null } = pages;
  if (!hasMore) return null;
  return (
    <>
      {failure && <ErrorText error={failure.error} />}
      <Button
        variant="default"
        mt={16}
        loading={isValidating}
        onClick={() => void (failure ? failure.retry() : setSize(size + 1))}
      >
        {label}
      </Button>
    </>
  );
}
