import { type Page, PREVIEW_ROWS, type PreviewStep, type Slice, type WriteContext, type WritePreview } from '../kit/contract.js';
import type { Loader } from './loader.js';
import { batches } from './send.js';
import { planAll, planSlice } from './write.js';

/** The imports of a slice with their events: what differs from the delivery ledger. Reads Mixpanel, sends no event. */
export async function previewSlice(
  loader: Loader,
  context: WriteContext,
  slice: Slice,
  pages: AsyncIterable<Page>,
): Promise<WritePreview> {
  const ledger = { ...context.ledger, plan: nothing, confirm: nothing };
  const { planner } = await planSlice(loader, { ...context, ledger }, slice, pages);
  const steps: PreviewStep[] = [];
  let events = 0;
  for (const batch of batches(planAll(planner, null))) {
    if (batch.events.length === 0) continue;
    const title = `Import ${batch.events.length} ${batch.events.length === 1 ? 'event' : 'events'}`;
    steps.push({ title, kind: 'request', text: loader.api.describeImport(), body: null });
    for (const event of batch.events) {
      events += 1;
      if (events <= PREVIEW_ROWS) steps.push({ title: `Event ${events}`, kind: 'event', text: event, body: null });
    }
  }
  return {
    target: loader.project.eventName,
    steps,
    omittedSteps: Math.max(0, events - PREVIEW_ROWS),
    omittedRows: 0,
  };
}

/** The ledger stays as it is. */
const nothing = (): Promise<void> => Promise.resolve();
