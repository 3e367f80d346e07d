import { useStaleness } from '~/api/read-cache/staleness';
import { useLoadedAt } from '~/lib/use-loaded-at';
import { ErrorNotice } from './ErrorNotice';

export interface LoadedContentProps<Data> {
  /** The response; undefined until it is loaded. */
  data: Data | undefined;
  error: unknown;
  reload: () => unknown;
  /** `Couldn’t load sources` */
  errorTitle: string;
  /** What is shown above the loaded data when refreshing it fails. */
  refreshError?: 'notice' | 'notice with age' | 'nothing';
  skeleton: React.ReactNode;
  isEmpty?: (data: Data) => boolean;
  /** Shown instead of the content when the data is empty. */
  empty?: React.ReactNode;
  children: (data: Data) => React.ReactNode;
}

/** The states of loaded data: a skeleton, an error with a retry button, an empty state, and the content. */
export function LoadedContent<Data>(props: LoadedContentProps<Data>) {
  const { data, error, reload, errorTitle, refreshError = 'notice', skeleton, isEmpty, empty, children } = props;
  const loadedAt = useLoadedAt(data);
  // The banner about data of the last visit already says that newer data could not be loaded, and offers the retry.
  const isInBanner = useStaleness().hasFailed;
  const hasNotice = error !== undefined && (data === undefined || (refreshError !== 'nothing' && !isInBanner));
  return (
    <>
      {hasNotice && (
        <ErrorNotice
          error={error}
          title={errorTitle}
          loadedAt={refreshError === 'notice with age' ? loadedAt : null}
          onRetry={() => void reload()}
        />
      )}
      {data === undefined && error === undefined && skeleton}
      {data !== undefined && (isEmpty?.(data) ? empty : children(data))}
    </>
  );
}
