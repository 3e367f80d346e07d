/** Adds a final period where it is missing, so that server texts can be joined on one line. */
export const sentence = (text: string): string => (text === '' || /[.!?…]$/.test(text) ? text : `${text}.`);
