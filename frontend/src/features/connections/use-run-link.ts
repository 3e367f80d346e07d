import { useSearchParams } from 'react-router-dom';

/** The address of the page with a run open. The rest of the address stays, such as the stream, the range or the filter of the tab. */
export function useRunLink(): (runId: string) => string {
  const [parameters] = useSearchParams();
  return (runId) => {
    const next = new URLSearchParams(parameters);
    next.delete('details');
    next.set('run', runId);
    return `?${next}`;
  };
}
