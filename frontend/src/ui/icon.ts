/** The props of all icons: 16 px, stroke 1.75, hidden from screen readers because a text or label is next to them. */
export const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
