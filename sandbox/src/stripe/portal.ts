import { portalConstants } from './constants.ts';
import { requireCustomer } from './customers.ts';
import { newId } from './ids.ts';
import type { PortalSession } from './objects.ts';
import type { Call, Operation } from './operation.ts';

export const portalOperations: Operation[] = [
  {
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    parameters: ['customer', 'return_url', 'configuration', 'locale'],
    answer: create,
  },
];

function create({ state, fields, origin }: Call): PortalSession {
  const customer = requireCustomer(state, fields);
  const id = newId('bps_');
  const session: PortalSession = {
    ...portalConstants,
    id,
    object: 'billing_portal.session',
    created: state.now(customer.id),
    customer: customer.id,
    return_url: fields.address('return_url') ?? null,
    url: `${origin}/stripe/portal/${id}`,
  };
  state.portalSessions.set(id, session);
  return session;
}
