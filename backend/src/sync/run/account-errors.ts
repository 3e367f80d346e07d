import type { AdAccount } from '../../connectors/kit/contract.js';
import { SkipAccount } from '../../connectors/kit/errors.js';
import type { SliceRow } from '../ledger/sync.queries.js';

/** Code of a slice whose stream or account was removed: the other streams of the account are read. */
export const GONE = 'sync.gone';

export const goneFromSource = (row: SliceRow): SkipAccount =>
  new SkipAccount({
    code: GONE,
    message: `${row.stream} of account ${row.accountId} is no longer part of the source.`,
    action: 'Review the source',
  });

export const closedAccount = ({ name }: AdAccount): SkipAccount =>
  new SkipAccount({
    code: 'sync.account_closed',
    message: `${name} is closed, or its app no longer reaches it.`,
    action: 'Restore access, or remove the account from the source',
  });

export const unusableAccount = ({ name }: AdAccount, problem: string): SkipAccount =>
  new SkipAccount({
    code: 'sync.account_unusable',
    message: `${name} cannot be read. ${problem}`,
    action: 'Remove the account from the source, or refresh the accounts of the app',
    failureClass: 'config',
  });
