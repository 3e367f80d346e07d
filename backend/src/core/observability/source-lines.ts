import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Built files without a source map are remembered too. */
const maps = new Map<string, SourceMap | null>();

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  let map: SourceMap | null = null;
  try {
    const payload = JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')) as ConstructorParameters<typeof SourceMap>[0];
    map = new SourceMap(payload);
  } catch {
    // A package, or a file of Node: its own lines are shown.
  }
  maps.set(file, map);
  return map;
}

function describeCall(call: NodeJS.CallSite): string {
  const [file, line, column] = [call.getFileName(), call.getLineNumber(), call.getColumnNumber()];
  const text = call.toString();
  if (!file?.startsWith('file:') || line === null || column === null) return text;
  const origin = mapOf(file)?.findOrigin(line, column);
  if (!origin || !('fileName' in origin)) return text;
  const source = fileURLToPath(new URL(origin.fileName, file));
  return text.replace(`${file}:${line}:${column}`, `${source}:${origin.lineNumber}:${origin.columnNumber}`);
}

/**
 * Stack traces name the files and lines of the sources. Node's `--enable-source-maps` does the same, but keeps the source map of each loaded
 * file: 8 MB, also without an error.
 */
export function showSourceLines(): void {
  Error.prepareStackTrace = (error, calls) =>
    [Error.prototype.toString.call(error), ...calls.map((call) => `    at ${describeCall(call)}`)].join('\n');
}
