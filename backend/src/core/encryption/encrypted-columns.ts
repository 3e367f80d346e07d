/** All columns that are encrypted with an organization's data key. A key rotation re-encrypts exactly these. */
export const ENCRYPTED_COLUMNS = [
  { table: 'apps', column: 'credentials' },
  { table: 'oauth_states', column: 'code_verifier' },
  { table: 'oauth_states', column: 'held_grant' },
  { table: 'push_events', column: 'sealed_payload' },
  { table: 'conversion_events', column: 'private_fields' },
  { table: 'webhook_endpoints', column: 'secret' },
  { table: 'payments', column: 'webhook_secret' },
] as const;
export type EncryptedColumn = (typeof ENCRYPTED_COLUMNS)[number];

/**
 * Columns that are encrypted with a key derived for a purpose, with the primary keys of their tables. Their values are stored for days
 * at most.
 */
export const WRAPPED_COLUMNS = [
  { table: 'outbox_messages', column: 'content', purpose: 'outbox', primaryKey: ['id'] },
  { table: 'idempotency_keys', column: 'answer', purpose: 'idempotency', primaryKey: ['caller', 'key'] },
] as const;
export type WrappedColumn = (typeof WRAPPED_COLUMNS)[number];
export type WrappingPurpose = WrappedColumn['purpose'];

/** Location of a ciphertext. Part of the additional authenticated data: a value that was moved cannot be decrypted. */
export type SecretPlace = EncryptedColumn & { organizationId: string; rowId: string };

export const additionalData = (place: SecretPlace): Buffer =>
  Buffer.from([place.organizationId, place.table, place.column, place.rowId].join(':'));
