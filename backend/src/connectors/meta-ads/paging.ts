import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import type { GraphApi, Parameters } from './api.js';
import { SplitSlice } from '../kit/errors.js';
import { corrupt } from './errors.js';

const pageSchema = z.object({
  data: z.array(z.unknown()),
  paging: z.object({ cursors: z.object({ after: z.string().optional() }).optional(), next: z.string().optional() }).optional(),
});

/** Rows in one answer. Meta may send fewer. */
const PAGE_LIMIT = 500;
/** The smallest page size after Meta rejected a page as too large. */
const SMALLEST_PAGE = 25;

/**
 * The pages of a list. Only `next` says that there is another: the last page has a cursor too. Its address holds the token,
 * so that it is never used; the cursor is put to the question that was asked. After a full page, and after the last of several, the
 * cursor is asked even without `next`: a list that was cut there continues, and a complete one has no more rows.
 */
export async function* readPages(
  api: GraphApi,
  context: ConnectorContext,
  path: string,
  parameters: Parameters,
): AsyncGenerator<unknown[]> {
  const size = { limit: Number(parameters['limit'] ?? PAGE_LIMIT) };
  for (let after: string | undefined, isLast = false, isProbe = false; !isLast;) {
    const asked = { ...parameters, ...(after !== undefined && { after }) };
    const checked = pageSchema.safeParse(await getPage(api, context, path, asked, size));
    if (!checked.success) throw corrupt('unexpected_answer', 'Meta sent a page of a list that cannot be read.');
    const { data, paging } = checked.data;
    if (isProbe && data.length === 0) return;
    yield data;
    const next = paging?.cursors?.after;
    const isMoving = next !== undefined && next !== after;
    const isNamed = paging?.next !== undefined;
    if (isNamed && !isMoving) throw corrupt('cursor_missing', 'Meta sent a page whose cursor leads nowhere.');
    isProbe = !isNamed && isMoving && (after !== undefined || data.length >= size.limit);
    isLast = !isNamed && !isProbe;
    after = next;
  }
}

/** When Meta rejects a page as too large, the page size is halved for it and the following pages. */
async function getPage(
  api: GraphApi,
  context: ConnectorContext,
  path: string,
  parameters: Parameters,
  size: { limit: number },
): Promise<unknown> {
  for (;;) {
    try {
      return await api.get(context, path, { ...parameters, limit: String(size.limit) });
    } catch (error) {
      const isTooLarge = error instanceof SplitSlice && error.code === 'meta_ads.too_much_data';
      if (!isTooLarge || size.limit <= SMALLEST_PAGE) throw error;
      size.limit = Math.max(SMALLEST_PAGE, Math.floor(size.limit / 2));
    }
  }
}
