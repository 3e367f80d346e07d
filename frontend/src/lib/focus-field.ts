/** A field whose value prevents saving. */
export interface FieldProblem {
  /** Value of the attribute `data-field` at the field or around it. */
  field: string;
  label: string;
}

const FOCUSABLE = ':is(input:not([type="hidden"]), textarea, select, button):enabled';

/** Moves the focus to the field, or to its invalid part. It is scrolled to the middle, because a fixed footer covers the end. */
export function focusField({ field }: FieldProblem): void {
  const holder = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
  const inside = holder?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? holder?.querySelector<HTMLElement>(FOCUSABLE);
  const target = holder?.matches(FOCUSABLE) ? holder : inside;
  target?.scrollIntoView({ block: 'center' });
  target?.focus({ preventScroll: true });
}

/** For errors that are about to be shown: they are rendered before the next frame. */
export const focusWhenRendered = (problem: FieldProblem): void => void requestAnimationFrame(() => focusField(problem));

/** Returns whether the user has not moved on to another element since the call. A button that is disabled loses the focus. */
export function watchFocus(): () => boolean {
  const start = document.activeElement;
  return () => [start, document.body].includes(document.activeElement);
}
