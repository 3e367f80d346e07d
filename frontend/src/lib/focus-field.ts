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

/** How long a field may take to be marked and enabled. Some fields show no error of their own. */
const MAX_FRAMES = 20;

const isMarked = ({ field }: FieldProblem): boolean =>
  document.querySelector(`[data-field="${CSS.escape(field)}"]`)?.querySelector('[aria-invalid="true"]:enabled') != null;

/** For an error that is about to be shown: on a slow machine it is rendered some frames later, and the field is disabled until then. */
export function focusWhenRendered(problem: FieldProblem, frames = MAX_FRAMES): void {
  requestAnimationFrame(() => {
    if (isMarked(problem) || frames === 0) focusField(problem);
    else focusWhenRendered(problem, frames - 1);
  });
}

/** Returns whether the user has not moved on to another element since the call. A button that is disabled loses the focus. */
export function watchFocus(): () => boolean {
  const start = document.activeElement;
  return () => [start, document.body].includes(document.activeElement);
}
