/** Fields that the user has typed into. */
const typedInto = new Set<Element>();

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Records the fields that receive input. Returns a function that stops it. */
export function watchTyping(root: Document): () => void {
  const record = (event: Event) => {
    if (isField(event.target)) typedInto.add(event.target);
  };
  root.addEventListener('input', record, true);
  return () => root.removeEventListener('input', record, true);
}

/** Whether a reload would discard input. Fields of earlier pages do not count. */
export function hasTypedInput(): boolean {
  for (const field of typedInto) {
    if (field.isConnected && isField(field) && field.value !== '') return true;
    if (!field.isConnected) typedInto.delete(field);
  }
  return false;
}
