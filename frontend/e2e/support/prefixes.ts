import { randomUUID } from 'node:crypto';

/** A prefix of tables that no other test and no earlier attempt of this one has written. A prefix has at most 20 characters. */
export const newPrefix = (name: string): string => `${name}${randomUUID().slice(0, 6)}_`;
