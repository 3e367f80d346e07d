import type { Account, User } from './accounts.ts';
import type { Upload } from './conversion-store.ts';

/** What a query reads, and for whom. */
export interface ReadContext {
  account: Account;
  user: User;
  /** The account's own calendar. */
  today: number;
  revisionOf: (dayNumber: number) => number;
  uploads: Upload[];
  now: Date;
}
