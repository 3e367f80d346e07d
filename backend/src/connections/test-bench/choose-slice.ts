import type { AdAccount, Slice, Stream } from '../../connectors/kit/contract.js';
import { addDays, dayInTimeZone } from '../../connectors/kit/days.js';
import { withoutColumns } from '../../connectors/kit/rows/excluded-columns.js';
import { hashedColumnsOf } from '../../connectors/kit/rows/hashed-columns.js';
import { Problem } from '../../core/http/problem.js';
import type { OpenSource } from '../../sources/index.js';
import type { ConnectionEntry } from '../connections.dto.js';
import { unknownStreams } from '../excluded-columns.js';
import type { TestConnectionBody } from './test-bench.dto.js';

export interface TestedSlice {
  slice: Slice;
  /** The slice's stream without excluded columns. */
  written: Stream;
  /** Columns of it that are stored as hashes. */
  hashed: string[];
}

/** The requested stream, account and day, or the first selected stream, the first open account and yesterday. */
export function chooseSlice(
  { streams }: ConnectionEntry,
  { connector, accounts }: OpenSource,
  body: TestConnectionBody,
  now: Date,
): TestedSlice {
  const selected = streams.filter(({ isSelected }) => isSelected);
  const chosen = body.stream === undefined ? selected[0] : selected.find(({ name }) => name === body.stream);
  const stream = connector.streams.find(({ name }) => name === chosen?.name);
  if (!stream) throw unknownStreams([body.stream ?? chosen?.name ?? '(none)']);
  const account = chooseAccount(accounts, body.accountId);
  const day = body.day ?? addDays(dayInTimeZone(now, account.timeZone), -1);
  const written = withoutColumns(stream, chosen?.leftOut);
  const hashed = hashedColumnsOf(written, { [stream.name]: chosen?.hashedFields ?? [] });
  return { slice: { stream, account, from: day, to: day }, written, hashed };
}

function chooseAccount(accounts: AdAccount[], wanted: string | undefined): AdAccount {
  const isOpen = ({ status, problem }: AdAccount) => status === 'enabled' && problem === undefined;
  const account = wanted === undefined ? accounts.find(isOpen) : accounts.find(({ externalId }) => externalId === wanted);
  if (account) return account;
  throw new Problem('source.unknown_account', {
    detail: wanted === undefined ? 'The source has no open account.' : `The source has no account ${wanted}.`,
    action: wanted === undefined ? 'Add an open account to the source' : 'Choose an account of the source',
  });
}
