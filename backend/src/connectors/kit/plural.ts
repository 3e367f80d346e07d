/** "1 minute", "1,006 minutes". */
export const plural = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** "1,006" */
export const formatCount = (count: number): string => count.toLocaleString('en-US');
