import { randomUUID } from 'node:crypto';

/** A prefix of tables that no other test and no earlier attempt of this one has written. */
export const newPrefix = (name: string): string => `${name}${randomUUID().slice(0, 6)}_`;
