import { v7 } from 'uuid';

/** UUIDv7 increases with time, so that new rows are at the end of an index. */
export const newId = (): string => v7();
