import type { PreparedEvent } from '../kit/conversion.js';

/** The dataset (pixel) that receives the events. */
export interface MetaDataset {
  datasetId: string;
  /** A standard event such as `Purchase`, or an own name. */
  eventName: string;
  /** Shows the events in Meta's test tool. They are counted nevertheless. */
  testEventCode: string | null;
}

/** Identifies the sender to Meta: fewer than 23 characters, at least two letters. */
export const PARTNER_AGENT = 'tributary';

/** Body of a POST to `/{dataset id}/events`. Another event name may be chosen while an event waits, so it is added when it is sent. */
export function buildEventsRequest(dataset: MetaDataset, events: PreparedEvent[]): Record<string, unknown> {
  return {
    data: events.map(({ payload }) => ({ ...payload, event_name: dataset.eventName })),
    partner_agent: PARTNER_AGENT,
    ...(dataset.testEventCode && { test_event_code: dataset.testEventCode }),
  };
}
