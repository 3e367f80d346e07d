import { AdAccountEntry } from '../core/http/failure.dto.js';
import { AppEntry } from './apps.dto.js';

export class AppUser {
  id: string;
  name: string;
}

export class AppConnection extends AppUser {
  desired: 'active' | 'paused';
  /** The last day up to which everything has arrived; null: nothing yet. */
  completeThrough: string | null;
}

/** What stops when an app is disconnected. */
export class AppImpact {
  /** At most 1,000 of each kind. */
  sources: AppUser[];
  destinations: AppUser[];
  connections: AppConnection[];
}

export class AppEventEntry {
  at: string;
  event:
    | 'connected'
    | 'reconnected'
    | 'refreshed'
    | 'refresh_failed'
    | 'probe_ok'
    | 'probe_failed'
    | 'needs_reauth'
    | 'renamed'
    | 'disconnected'
    | 'shared';
  /** E-mail of who did it; null: the product by itself, or whoever used a shared link. */
  actor: string | null;
  detail: string | null;
}

export class AppEventPage {
  items: AppEventEntry[];
  nextCursor: string | null;
}

/** What one reconnect brings back. */
export class CatchUpCount {
  /** Connections that start by themselves. */
  connections: number;
  /** Calendar days, today among them, that the one furthest behind has missed. */
  days: number;
}

export class OauthCompletion {
  app: AppEntry;
  /** Where the flow was started from. */
  returnTo: string | null;
  /** Whether the app had been connected before. */
  isReconnect: boolean;
  catchUp: CatchUpCount;
}

/** Part of the refusal `oauth.other_user`: what would change if it were accepted. */
export class OtherUser {
  /** E-mail of the app's user; `a user who is not named` when it is not known. */
  expected: string;
  /** E-mail of who has signed in; `a user who is not named` when the provider did not say. */
  found: string;
  /** Accounts of the app that this user does not reach. */
  missingAccounts: AdAccountEntry[];
  /** Accounts that only this user reaches. */
  addedAccounts: AdAccountEntry[];
}

export class NewShareLink {
  /** Shown this once. Whoever has it can reconnect this app, and nothing else. */
  url: string;
  /** After this, or after its first use, it is refused. */
  expiresAt: string;
}
