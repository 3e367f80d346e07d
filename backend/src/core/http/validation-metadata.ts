import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Search = Storage['getTargetValidationMetadatas'];

let isKept = false;

/**
 * For each object that it validates, class-validator searches all classes of the application for those that the object's class
 * extends: in a profile of lists, more than half of the time of a validation. Decorators have run when the first request arrives, so the result of a class is kept.
 */
export function keepValidationMetadata(): void {
  if (isKept) return;
  isKept = true;
  const storage = getMetadataStorage();
  const search: Search = storage.getTargetValidationMetadatas.bind(storage);
  const found = new Map<unknown, ReturnType<Search>>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    if (schema || always || strictGroups || groups?.length) return search(target, schema, always, strictGroups, groups);
    const metadata = found.get(target) ?? search(target, schema, always, strictGroups, groups);
    found.set(target, metadata);
    return metadata;
  };
}
