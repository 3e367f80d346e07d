import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatText } from '../format.ts';
import { inRepository } from '../repository.ts';

/** A table has the name of the provider and 15 more characters, and at most 43. */
const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const LONGEST = 24;
const SUFFIX = '.template';

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The words of the templates: `__provider__` is acme_ads, `__Name__` is AcmeAds, `__PREFIX__` is ACME_ADS. */
function wordsOf(provider: string): Record<string, string> {
  const words = provider.split('_');
  const pascal = words.map(capital).join('');
  return {
    __provider__: provider,
    __folder__: words.join('-'),
    __name__: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    __Name__: pascal,
    __display__: words.map(capital).join(' '),
    __PREFIX__: provider.toUpperCase(),
  };
}

/** Writes the folder of a connector that passes the contract test. Returns the folder. */
async function generateConnector(provider: string, connectors: string): Promise<string> {
  if (!NAME.test(provider) || provider.length > LONGEST)
    throw new Error(
      `Enter a name of lower-case letters, digits and underscores, at most ${LONGEST}: make connector name=acme_ads`,
    );
  const words = wordsOf(provider);
  const folder = path.join(connectors, words.__folder__ ?? provider);
  if (existsSync(folder)) throw new Error(`${folder} exists already`);
  mkdirSync(folder, { recursive: true });
  const templates = path.join(import.meta.dirname, 'template');
  for (const file of readdirSync(templates)) {
    const target = path.join(folder, file.slice(0, -SUFFIX.length));
    const text = Object.entries(words).reduce(
      (before, [word, value]) => before.replaceAll(word, value),
      readFileSync(path.join(templates, file), 'utf8'),
    );
    writeFileSync(target, await formatText(target, text));
  }
  return folder;
}

// The second argument is the parent folder. Tests write to a temporary one.
try {
  const folder = await generateConnector(process.argv[2] ?? '', process.argv[3] ?? inRepository('backend', 'src', 'connectors'));
  console.log(`${path.relative(process.cwd(), folder)}\nNext: docs/connectors.md`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
