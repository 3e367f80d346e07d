import { v7 } from 'uuid';

/** UUIDv7: grows with time, so that new rows land at the end of an index. */
export const newId = (): string => v7();
