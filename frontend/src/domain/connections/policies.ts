/** What happens when the source offers other streams or columns. */
export const SCHEMA_POLICIES = [
  { value: 'propagate_columns', label: 'Add new columns automatically' },
  { value: 'propagate_all', label: 'Add new columns and streams automatically' },
  { value: 'approve', label: 'Wait for approval' },
  { value: 'pause', label: 'Pause the connection until decided' },
] as const;
export type SchemaPolicy = (typeof SCHEMA_POLICIES)[number]['value'];

/** Whether days without rows must be confirmed by the platform. */
export const EMPTY_POLICIES = [
  { value: 'expect_rows', label: 'Accept only if the platform confirms it' },
  { value: 'allow_empty', label: 'Always accept' },
] as const;
export type EmptyPolicy = (typeof EMPTY_POLICIES)[number]['value'];
