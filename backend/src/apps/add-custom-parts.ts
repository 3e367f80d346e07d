import { newId } from '../platform/identifiers.js';
import type { TenantQuery } from '../platform/tenant.js';
import { newPushKeyId } from './push-key.js';
import { keepStep } from './submissions.service.js';

/** What every custom app has: an empty form, and an endpoint without a key. */
export async function addCustomParts(query: TenantQuery, appId: string, email: string): Promise<void> {
  await query('insert into submissions (organization_id, app_id, id, updated_at) values ($1::uuid, $2::uuid, $3::uuid, now())', [
    appId,
    newId(),
  ]);
  await keepStep(query, appId, { state: 'draft', actor: email, note: null });
  await query(
    'insert into push_endpoints (organization_id, app_id, key_id, updated_at) values ($1::uuid, $2::uuid, $3::text, now())',
    [appId, newPushKeyId()],
  );
}
