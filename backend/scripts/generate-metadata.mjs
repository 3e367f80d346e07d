// What swc drops and the API document needs (comments, optional fields, types of DTOs), read from the sources by TypeScript.
import { PluginMetadataGenerator } from '@nestjs/cli/lib/compiler/plugins/plugin-metadata-generator.js';
import { ReadonlyVisitor } from '@nestjs/swagger/plugin';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

process.chdir(path.resolve(import.meta.dirname, '..'));
const source = path.resolve('src');
const target = path.join(source, 'metadata.ts');
// The sources import what is made from them. The old one goes first: it may name shapes that are gone.
writeFileSync(target, 'export default async (): Promise<Record<string, unknown>> => ({});\n');

// Given the program, the generator computes only the types that it writes. `make check` checks all types, in a tenth of the time.
const { options, fileNames } = ts.getParsedCommandLineOfConfigFile('tsconfig.build.json', undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  },
});
new PluginMetadataGenerator().generate({
  visitors: [
    new ReadonlyVisitor({ introspectComments: true, classValidatorShim: true, esmCompatible: true, pathToSource: source }),
  ],
  outputDir: source,
  watch: false,
  tsProgramRef: ts.createProgram({ rootNames: fileNames, options }),
  filename: 'metadata.ts',
});
