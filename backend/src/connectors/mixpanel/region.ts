import type { ConnectorContext } from '../kit/contract.js';
import type { MixpanelApi } from './api.js';
import { PlanLimit } from './errors.js';
import { LOADED_BY } from './shape.js';

/**
 * Both the Query API and the raw export reject a project of another region; the import accepts its events and drops them. The
 * query is sent first, because it does not count against the hourly export limit; where the plan does not include it, the export is.
 */
export async function verifyRegion(api: MixpanelApi, context: ConnectorContext, now: Date): Promise<'query' | 'export'> {
  try {
    await api.askForEventNames(context);
    return 'query';
  } catch (error) {
    if (!(error instanceof PlanLimit)) throw error;
  }
  await readOneLine(api, context, now);
  return 'export';
}

/** Rejected if the project is in another region or the service account has no export permission. */
export async function readOneLine(api: MixpanelApi, context: ConnectorContext, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  const query = { from: today, to: today, where: `properties["loaded_by"] == ${JSON.stringify(LOADED_BY)}`, limit: 1 };
  for await (const line of api.exportLines(context, query)) if (line !== '') break;
}
