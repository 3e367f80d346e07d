import { z } from 'zod';
import type { AdAccount, ConnectorContext } from '../kit/contract.js';
import type { ConversionTargetChoice } from '../kit/conversion-target.js';
import { NOTHING_TO_DO } from '../kit/error-table.js';
import { CorruptAnswer } from '../kit/errors.js';
import type { GraphApi } from './api.js';
import { readFailure, toConnectorError } from './errors.js';

/** Fields of `AdsPixel` (facebook-nodejs-business-sdk, `objects/ads-pixel.js`). */
const pageSchema = z.object({
  data: z.array(
    z.object({ id: z.string().regex(/^\d+$/), name: z.string().default(''), is_unavailable: z.boolean().default(false) }),
  ),
  paging: z.object({ cursors: z.object({ after: z.string().optional() }).optional(), next: z.string().optional() }).optional(),
});

/** The datasets of an ad account. The edge kept its name when pixels became datasets. */
export async function listDatasets(
  api: GraphApi,
  context: ConnectorContext,
  account: AdAccount,
): Promise<ConversionTargetChoice[]> {
  const choices: ConversionTargetChoice[] = [];
  for (let after: string | null = null, isLast = false; !isLast;) {
    const answer = await api.listDatasets(context, account.externalId, after);
    const failure = readFailure(answer);
    if (failure) throw toConnectorError(failure);
    const page = pageSchema.safeParse(answer.body);
    if (!page.success) throw unexpectedAnswer('Meta sent datasets in an unexpected format.');
    choices.push(...page.data.data.map(toChoice));
    const next = page.data.paging?.cursors?.after ?? null;
    isLast = page.data.paging?.next === undefined;
    // A cursor that does not advance would repeat the page forever.
    if (!isLast && (next === null || next === after))
      throw unexpectedAnswer('Meta sent a list of datasets without its next part.');
    after = next;
  }
  return choices;
}

const toChoice = (node: z.infer<typeof pageSchema>['data'][number]): ConversionTargetChoice => ({
  settings: { datasetId: node.id, eventName: 'Purchase' },
  name: node.name || node.id,
  kind: 'dataset',
  problem: node.is_unavailable ? 'Meta reports this dataset as unavailable. Its ad account may be closed.' : null,
});

const unexpectedAnswer = (message: string): CorruptAnswer =>
  new CorruptAnswer({ code: 'meta_conversions.unexpected_answer', message, action: NOTHING_TO_DO });
