/** Every column that holds envelopes under an organization's data key: nothing is sealed elsewhere, so that a rotation finds all. */
export const SEALED_COLUMNS = [
  { table: 'apps', column: 'credentials' },
  { table: 'oauth_states', column: 'code_verifier' },
  { table: 'oauth_states', column: 'held_grant' },
] as const;
export type SealedColumn = (typeof SEALED_COLUMNS)[number];

/** Columns whose envelopes are under a key derived for a purpose; they live days at most. */
export const WRAPPED_COLUMNS = [
  { table: 'outbox_messages', column: 'content', purpose: 'outbox' },
  { table: 'idempotency_keys', column: 'answer', purpose: 'idempotency' },
] as const;
export type WrappingPurpose = (typeof WRAPPED_COLUMNS)[number]['purpose'];

/** Where a ciphertext lives. Part of the envelope's additional data: moved anywhere else, it does not open. */
export type SecretPlace = SealedColumn & { organizationId: string; rowId: string };

export const boundTo = (place: SecretPlace): Buffer =>
  Buffer.from([place.organizationId, place.table, place.column, place.rowId].join(':'));
