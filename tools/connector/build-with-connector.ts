/**
 * node tools/connector/build-with-connector.ts acme_ads: for tests, copies the built backend and adds a connector that
 * `make connector` generates. Prints the copy as JSON.
 */
import { transform, type Options } from '@swc/core';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRepository } from '../repository.ts';

const backend = inRepository('backend');
const generator = inRepository('tools', 'connector', 'main.ts');

export interface ExtendedBuild {
  /** Delete it after use. */
  folder: string;
  /** The program to start. */
  main: string;
  /** Files that the build does not have, relative to it. */
  addedFiles: string[];
}

/** The copy is below `backend`, so that it finds the packages. */
export async function buildWithConnector(provider: string): Promise<ExtendedBuild> {
  mkdirSync(path.join(backend, '.tmp'), { recursive: true });
  const folder = mkdtempSync(path.join(backend, '.tmp', 'connector-'));
  const dist = path.join(folder, 'dist');
  cpSync(path.join(backend, 'dist'), dist, { recursive: true });
  const before = new Set(listFiles(dist));
  await addConnector(provider, path.join(folder, 'generated'), path.join(dist, 'src', 'connectors'));
  const addedFiles = listFiles(dist).filter((file) => !before.has(file));
  return { folder, main: path.join(dist, 'src', 'main.js'), addedFiles };
}

const listFiles = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String).sort();

/** Generates the folder and compiles it as the build does. */
async function addConnector(provider: string, generated: string, connectors: string): Promise<void> {
  execFileSync(process.execPath, [generator, provider, generated], { stdio: 'pipe' });
  const options = JSON.parse(readFileSync(path.join(backend, '.swcrc'), 'utf8')) as Options;
  for (const [folder = ''] of [readdirSync(generated)]) {
    mkdirSync(path.join(connectors, folder));
    for (const file of readdirSync(path.join(generated, folder)).filter((name) => name.endsWith('.ts'))) {
      const filename = path.join(generated, folder, file);
      const { code } = await transform(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false, configFile: false });
      writeFileSync(path.join(connectors, folder, file.replace(/\.ts$/, '.js')), code);
    }
  }
}

if (import.meta.main) console.log(JSON.stringify(await buildWithConnector(process.argv[2] ?? '')));
