import { client, unwrap } from './http/client';
import type { components } from './schema';

type EventName = components['schemas']['TrackBody']['eventName'];
type EventProperties = NonNullable<components['schemas']['TrackBody']['properties']>;

export interface ProductEvent {
  name: EventName;
  properties: EventProperties;
}

/** The specification requires that analytics failures are only logged. */
const logged = (name: string, call: Promise<unknown>): void => {
  call.catch((error: unknown) => console.warn(`${name} failed`, error));
};

let trackedUserId: string | undefined;

/** The user of the next events; null after a sign-out. The server takes the user from the token and rejects any other. */
export const setTrackedUser = (userId: string | null): void => {
  trackedUserId = userId ?? undefined;
};

// `keepalive`: these are also sent by a page that is left.
export const identify = (userId: string, traits: Record<string, string>): void =>
  logged('identify', unwrap(client.POST('/api/customerio/identify', { body: { userId, traits }, keepalive: true })));

/** The server drops events that it has raised itself. */
export const track = ({ name, properties }: ProductEvent): void =>
  logged('track', unwrap(client.POST('/api/customerio/track', { body: { userId: trackedUserId, eventName: name, properties } })));

export const identifyUserWithOrganization = (userId: string, organizationId: string): void =>
  logged(
    'identifyUserWithOrganization',
    unwrap(client.POST('/api/identifyUserWithOrganization', { body: { userId, organizationId }, keepalive: true })),
  );
