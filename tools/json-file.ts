import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes the file atomically: a reader never gets a partial file. */
export function writeJsonFile(file: string, value: unknown, mode = 0o644): void {
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, `${JSON.stringify(value, null, 2)}\n`, { mode });
  renameSync(partial, file);
}

/** Null when the file is absent or is not JSON. */
export function readJsonFile<Value>(file: string): Value | null {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Value;
  } catch {
    return null;
  }
}
