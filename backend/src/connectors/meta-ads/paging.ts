import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import type { GraphApi, Parameters } from './api.js';
import { ConnectorError } from '../kit/errors.js';
import { corrupt } from './errors.js';

/** The account's own reports, or the rows of a report run. */
type PageSource = Pick<GraphApi, 'get'>;

const pageSchema = z.object({
  data: z.array(z.unknown()),
  paging: z.object({ cursors: z.object({ after: z.string().optional() }).optional(), next: z.string().optional() }).optional(),
});

/** Requested rows per answer. Meta may send fewer. */
const PAGE_LIMIT = 500;
/** The smallest page size after Meta rejected a page as too large. tap-facebook #65 needed fewer than 25 rows. */
const SMALLEST_PAGE = 5;
/** Meta rejects pages that are too large with either (airbyte, `reduce_request_record_limit`). */
const TOO_LARGE = new Set(['meta_ads.too_much_data', 'meta_ads.internal_error']);

/**
 * The pages of a list. `next` indicates another page; the last page has a cursor too. The address in `next` contains the token,
 * so the cursor is added to the original request instead. After a full page, and after the last of several pages, the cursor is
 * requested even without `next`: a truncated list continues, and a complete one has no more rows.
 */
export async function* readPages(
  api: PageSource,
  context: ConnectorContext,
  path: string,
  parameters: Parameters,
): AsyncGenerator<unknown[]> {
  const size = { limit: Number(parameters['limit'] ?? PAGE_LIMIT) };
  for (let after: string | undefined, isLast = false, isProbe = false; !isLast;) {
    const asked = { ...parameters, ...(after !== undefined && { after }) };
    const checked = pageSchema.safeParse(await getPage(api, context, path, asked, size));
    if (!checked.success) throw corrupt('unexpected_answer', 'Meta sent a list page in an unexpected format.');
    const { data, paging } = checked.data;
    if (isProbe && data.length === 0) return;
    yield data;
    const next = paging?.cursors?.after;
    const isMoving = next !== undefined && next !== after;
    const isNamed = paging?.next !== undefined;
    if (isNamed && !isMoving) throw corrupt('cursor_missing', 'Meta sent a page whose cursor does not advance.');
    isProbe = !isNamed && isMoving && (after !== undefined || data.length >= size.limit);
    isLast = !isNamed && !isProbe;
    after = next;
  }
}

/** When Meta rejects a page as too large, the page size is halved for it and the following pages. */
async function getPage(
  api: PageSource,
  context: ConnectorContext,
  path: string,
  parameters: Parameters,
  size: { limit: number },
): Promise<unknown> {
  for (;;) {
    try {
      return await api.get(context, path, { ...parameters, limit: String(size.limit) });
    } catch (error) {
      const isTooLarge = error instanceof ConnectorError && TOO_LARGE.has(error.code);
      if (!isTooLarge || size.limit <= SMALLEST_PAGE) throw error;
      size.limit = Math.max(SMALLEST_PAGE, Math.floor(size.limit / 2));
    }
  }
}
