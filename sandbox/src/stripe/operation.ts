import type { Fields } from './fields.ts';
import type { StripeState } from './state.ts';

/** One call of the API while it is answered. */
export interface Call {
  state: StripeState;
  fields: Fields;
  /** The `:id` of the path. */
  id: string;
  /** Where the sandbox is reached, for addresses of its pages: 'http://127.0.0.1:4100'. */
  origin: string;
}

export interface Operation {
  method: 'GET' | 'POST' | 'DELETE';
  /** `:id` stands for one segment. */
  path: string;
  /** Names at the top level; any other is refused, as Stripe does. `expand` is known everywhere. */
  parameters: readonly string[];
  /** Answers the object; nothing in it waits, so that no other call sees half of a change. */
  answer(call: Call): object;
}
