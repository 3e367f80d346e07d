import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization } from '../../../test/factories.js';
import type { SecretPlace } from './encrypted-columns.js';
import { Secrets } from './secrets.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

describe('a secret', () => {
  const placeIn = (organizationId: string) =>
    ({ organizationId, table: 'apps', column: 'credentials', rowId: 'row' }) satisfies SecretPlace;

  it('is decrypted in its own row, and its envelope does not contain it', async () => {
    const place = placeIn((await anOrganization(app)).id);
    const envelope = await app.get(Secrets).encrypt(place, { password: 'canary-7391' });
    expect(envelope).not.toContain('canary');
    expect(Buffer.from(envelope, 'base64url').toString('latin1')).not.toContain('canary');
    expect(await app.get(Secrets).decrypt(place, envelope)).toEqual({ password: 'canary-7391' });
  });

  it('cannot be decrypted in another row, column, table or organization', async () => {
    const organizationId = (await anOrganization(app)).id;
    const place = placeIn(organizationId);
    const secrets = app.get(Secrets);
    const envelope = await secrets.encrypt(place, 'canary');
    const other = (await anOrganization(app)).id;
    const elsewhere: SecretPlace[] = [
      { ...place, rowId: 'other' },
      { ...place, table: 'oauth_states', column: 'code_verifier' },
      { ...place, table: 'oauth_states', column: 'held_grant' },
      { ...place, organizationId: other },
    ];
    for (const there of elsewhere) await expect(secrets.decrypt(there, envelope)).rejects.toThrow();
  });

  it('cannot be decrypted when a bit has changed', async () => {
    const place = placeIn((await anOrganization(app)).id);
    const envelope = await app.get(Secrets).encrypt(place, 'canary');
    const [version, iv, tag, body] = envelope.split('.');
    const changed = (body?.startsWith('A') ? 'B' : 'A') + body?.slice(1);
    await expect(app.get(Secrets).decrypt(place, [version, iv, tag, changed].join('.'))).rejects.toThrow();
    await expect(app.get(Secrets).decrypt(place, 'plain')).rejects.toThrow('not a valid envelope');
  });

  it('is encrypted with one key per organization, even when concurrent calls create it', async () => {
    const { id } = await anOrganization(app);
    const envelopes = await Promise.all(Array.from({ length: 20 }, (_, index) => app.get(Secrets).encrypt(placeIn(id), index)));
    expect(await Promise.all(envelopes.map((envelope) => app.get(Secrets).decrypt(placeIn(id), envelope)))).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    );
    expect(await app.database.query('select 1 from data_keys where organization_id = $1', [id])).toHaveLength(1);
  });
});
