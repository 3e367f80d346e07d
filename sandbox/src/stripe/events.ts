import { newId } from './ids.ts';
import { apiVersion, type StripeEvent } from './objects.ts';
import type { StripeState } from './state.ts';

/** Records an event at a moment of Stripe's time and delivers it. The object is stored in its current state. */
export function emit(
  state: StripeState,
  type: string,
  object: { object: string },
  at: number,
  previous?: Record<string, unknown>,
): StripeEvent {
  const event: StripeEvent = {
    id: newId('evt_'),
    object: 'event',
    api_version: apiVersion,
    created: at,
    data: { object: structuredClone(object) as Record<string, unknown>, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: [...state.endpoints.values()].filter((endpoint) => wants(endpoint.enabled_events, type)).length,
    request: { ...state.currentRequest },
    type,
  };
  state.events.set(event.id, event);
  state.onEvent(event);
  state.changed();
  return event;
}

export function wants(enabledEvents: string[], type: string): boolean {
  return enabledEvents.includes('*') || enabledEvents.includes(type);
}

/** Changes an object in place. Returns the previous values of the changed fields, or null if nothing changed. */
export function change<T extends object>(object: T, changes: Partial<T>): Record<string, unknown> | null {
  const previous: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(changes)) {
    const before = (object as Record<string, unknown>)[name];
    if (JSON.stringify(before) !== JSON.stringify(value)) previous[name] = structuredClone(before);
  }
  Object.assign(object, changes);
  return Object.keys(previous).length > 0 ? previous : null;
}
