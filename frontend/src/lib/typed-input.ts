/** Fields of the pages that somebody has typed into, for as long as they stand on the page. */
const typedInto = new Set<Element>();

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Notices typing anywhere; returns how to stop. */
export function watchTyping(root: Document): () => void {
  const note = (event: Event) => {
    if (isField(event.target)) typedInto.add(event.target);
  };
  root.addEventListener('input', note, true);
  return () => root.removeEventListener('input', note, true);
}

/** Whether something typed would be lost if the page were loaded anew now. Fields of pages that were left count no more. */
export function hasTypedInput(): boolean {
  for (const field of typedInto) {
    if (field.isConnected && isField(field) && field.value !== '') return true;
    if (!field.isConnected) typedInto.delete(field);
  }
  return false;
}
