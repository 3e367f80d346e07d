import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface Claim {
  /** A type of the SDK, such as `Stripe.Customer`. */
  type: string;
  /** The sandbox's answer, which the SDK declares with that type. */
  value: unknown;
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts'],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};
const path = fileURLToPath(new URL('claims.virtual.ts', import.meta.url));
/** Declarations are read once. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Where answers differ from the types that an SDK declares: each is compiled as a literal of its type, so that what is missing,
 * unknown, or of another type is an error of the compiler. Empty when all fit.
 */
export function differencesFrom(imports: string, claims: Claim[]): string[] {
  const lines = claims.map(({ type, value }, index) => `const claim${index}: ${type} = ${literalOf(value)};`);
  const file = ts.createSourceFile(path, [imports, ...lines].join('\n'), ts.ScriptTarget.ESNext);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, languageVersion) => {
    if (name === path) return file;
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, languageVersion));
    return parsed.get(name);
  };
  const program = ts.createProgram([path], options, host);
  const problems = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  return [...new Set(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')))];
}

/**
 * Stripe's SDK turns the text of decimals into numbers of its own kind, which no literal has. `total_count` comes in lists inside
 * of objects, although the SDK does not declare it.
 */
function literalOf(value: unknown): string {
  const text = JSON.stringify(value, (name, part: unknown) => (name === 'total_count' ? undefined : part), 1);
  return text.replace(/("\w+_decimal": "[^"]*")/g, '$1 as never');
}
