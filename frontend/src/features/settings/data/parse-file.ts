import type { ConfigurationFile } from '~/api/types';

/** A file that cannot be read, with the line of the error. */
export class InvalidFile extends Error {}

/** Parses the JSON. The server validates its fields. */
export function parseFile(text: string): ConfigurationFile {
  try {
    return JSON.parse(text) as ConfigurationFile;
  } catch (error) {
    const line = lineOf(text, error instanceof Error ? error.message : '');
    throw new InvalidFile(`This is not a JSON file${line === null ? '' : `: see line ${line}`}`);
  }
}

/** Some browsers name the line, some the position, and some only a part of the text: then the first text that is no JSON counts. */
function lineOf(text: string, message: string): number | null {
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /position (\d+)/.exec(message)?.[1] ?? endOfTokens(text);
  return position === null ? null : text.slice(0, Number(position)).trimEnd().split('\n').length;
}

const TOKEN = /\s*(?:"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:])/y;

/** Where the text stops to consist of words of JSON; null: it does not, so its error is their order. */
function endOfTokens(text: string): number | null {
  TOKEN.lastIndex = 0;
  let end = 0;
  while (TOKEN.test(text)) end = TOKEN.lastIndex;
  const [space = ''] = /^\s*/.exec(text.slice(end)) ?? [];
  return end + space.length < text.length ? end + space.length + 1 : null;
}
