import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import type { GraphApi, Parameters } from './api.js';
import { corrupt } from './errors.js';

const pageSchema = z.object({
  data: z.array(z.unknown()),
  paging: z.object({ cursors: z.object({ after: z.string().optional() }).optional(), next: z.string().optional() }).optional(),
});

/**
 * The pages of a list. Only `next` tells that there is another: the last page has a cursor too. Its address holds the token,
 * so that it is never used; the cursor is put to the question that was asked.
 */
export async function* readPages(
  api: GraphApi,
  context: ConnectorContext,
  path: string,
  parameters: Parameters,
): AsyncGenerator<unknown[]> {
  for (let after: string | undefined, isLast = false; !isLast;) {
    const checked = pageSchema.safeParse(await api.get(context, path, { ...parameters, ...(after !== undefined && { after }) }));
    if (!checked.success) throw corrupt('unexpected_answer', 'Meta sent a page of a list that cannot be read.');
    const { data, paging } = checked.data;
    yield data;
    isLast = paging?.next === undefined;
    const next = paging?.cursors?.after;
    if (!isLast && (next === undefined || next === after))
      throw corrupt('cursor_missing', 'Meta sent a page whose cursor leads nowhere.');
    after = next;
  }
}
