import type { Fields } from './fields.ts';
import type { StripeState } from './state.ts';

/** One API call in progress. */
export interface Call {
  state: StripeState;
  fields: Fields;
  /** The `:id` of the path. */
  id: string;
  /** Address of the sandbox, for links to its pages: 'http://127.0.0.1:4100'. */
  origin: string;
}

export interface Operation {
  method: 'GET' | 'POST' | 'DELETE';
  /** `:id` stands for one segment. */
  path: string;
  /** Allowed top-level parameters; any other is rejected, as in Stripe. `expand` is always allowed. */
  parameters: readonly string[];
  /** Returns the object. Synchronous, so that no other call sees a partial change. */
  answer(call: Call): object;
}
