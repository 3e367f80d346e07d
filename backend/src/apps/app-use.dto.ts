import { AdAccountEntry } from '../core/http/failure.dto.js';
import { AppEntry } from './apps.dto.js';

export class AppUser {
  id: string;
  name: string;
}

export class AppConnection extends AppUser {
  desired: 'active' | 'paused';
  /** The last day up to which all data has arrived; null if there is none. */
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
  /** E-mail of the user; null for automatic events and for the user of a shared link. */
  actor: string | null;
  detail: string | null;
}

export class AppEventPage {
  items: AppEventEntry[];
  nextCursor: string | null;
}

/** What one reconnect resumes. */
export class CatchUpCount {
  /** Connections that resume automatically. */
  connections: number;
  /** Missed calendar days, including today, of the connection that is furthest behind. */
  days: number;
}

export class OauthCompletion {
  app: AppEntry;
  /** Path from which the flow was started. */
  returnTo: string | null;
  /** Whether the app had been connected before. */
  isReconnect: boolean;
  catchUp: CatchUpCount;
}

/** Part of the error `oauth.other_user`: what would change if the user were accepted. */
export class OtherUser {
  /** E-mail of the app's user; `an unnamed user` if it is unknown. */
  expected: string;
  /** E-mail of the user who signed in; `an unnamed user` if the provider did not report it. */
  found: string;
  /** Accounts of the app that this user cannot access. */
  missingAccounts: AdAccountEntry[];
  /** Accounts that only this user can access. */
  addedAccounts: AdAccountEntry[];
}

export class NewShareLink {
  /** Shown only once. Anyone with the link can reconnect this app, and nothing else. */
  url: string;
  /** The link is rejected after this time, or after its first use. */
  expiresAt: string;
}
