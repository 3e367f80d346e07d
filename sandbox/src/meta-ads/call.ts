import type { Occasion } from '../faults.ts';
import type { Exchange } from '../router.ts';

/** A call of the Graph API. */
export interface Call extends Exchange {
  parameters: URLSearchParams;
  occasion: Occasion;
  /** Headers of the answer. */
  headers: Record<string, string>;
}
