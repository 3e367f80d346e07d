/** Every icon is 16 px with a stroke of 1.75, and silent: a word stands beside it or on its button. */
export const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
