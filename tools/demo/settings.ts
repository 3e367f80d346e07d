import { readFileSync } from 'node:fs';

/** A setting, or the content of the file that `NAME_FILE` names. */
export function demoSetting(name: string): string {
  const file = process.env[`${name}_FILE`];
  const value = process.env[name] ?? (file && readFileSync(file, 'utf8').trim());
  if (!value) throw new Error(`Set ${name} or ${name}_FILE`);
  return value;
}

/** @param url of a database on the same server */
export const onDatabase = (url: string, database: string): string => Object.assign(new URL(url), { pathname: database }).href;
