import type { ProviderRequest } from '~/api/types';
import { formatTimeWithSeconds } from '~/lib/dates';
import { formatDuration } from '~/lib/durations';
import table from '~/ui/layout/Table.module.css';
import styles from './RunRequests.module.css';

const isBad = (status: number | null): boolean => status === null || status >= 400;

/** The last 200 requests to the provider. */
export const RunRequests = ({ requests }: { requests: ProviderRequest[] }) =>
  requests.length === 0 ? (
    <p className="quiet">No requests yet.</p>
  ) : (
    <div className={table.scroll} tabIndex={0} role="region" aria-label="Requests">
      <table className={`${table.table} ${styles.requests}`}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Request</th>
            <th scope="col">Status</th>
            <th scope="col" className={table.number}>
              Duration
            </th>
          </tr>
        </thead>
        <tbody>
          {requests.map((request, index) => (
            <tr key={index}>
              <td className="quiet">{formatTimeWithSeconds(request.at)}</td>
              <td className={`mono ${styles.call}`}>
                {request.method} {request.url}
                {request.providerRequestId && <span className={table.second}>request {request.providerRequestId}</span>}
              </td>
              <td data-bad={isBad(request.status) || undefined}>{request.status ?? 'No response'}</td>
              <td className={table.number}>{formatDuration(request.durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
