/** Texts of the server are put together on one line: each ends as a sentence does. */
export const sentence = (text: string): string => (text === '' || /[.!?…]$/.test(text) ? text : `${text}.`);
