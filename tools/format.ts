import { readFileSync } from 'node:fs';
import { format, type FormatConfig } from 'oxfmt';
import { inRepository } from './repository.ts';

/** The text as `make fix` writes it in a file of this name. */
export async function formatText(file: string, text: string): Promise<string> {
  const options = JSON.parse(readFileSync(inRepository('.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const { code, errors } = await format(file, text, options);
  if (errors.length > 0) throw new Error(`${file} cannot be formatted: ${errors.map(({ message }) => message).join(', ')}`);
  return code;
}
