/** Fields that the user has typed into. */
const editedFields = new Set<Element>();

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Records the fields that receive input. Returns a function that stops it. */
export function watchInput(root: Document): () => void {
  const record = (event: Event) => {
    if (isField(event.target)) editedFields.add(event.target);
  };
  root.addEventListener('input', record, true);
  return () => root.removeEventListener('input', record, true);
}

/** Whether a reload would discard input. Fields of earlier pages do not count. */
export function hasUnsavedInput(): boolean {
  for (const field of editedFields) {
    if (field.isConnected && isField(field) && field.value !== '') return true;
    if (!field.isConnected) editedFields.delete(field);
  }
  return false;
}
