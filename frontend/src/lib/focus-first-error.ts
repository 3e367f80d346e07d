/** Moves the focus to the first invalid field of a rejected form. Called before the errors are rendered. */
export const focusFirstError = (
  _errors: unknown,
  _values: unknown,
  event: { currentTarget: EventTarget & HTMLElement } | undefined,
): void => {
  const form = event?.currentTarget;
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
};
