import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const FILE = fileURLToPath(new URL('../public/color-scheme.js', import.meta.url));
const TAG = '<script src="/color-scheme.js"></script>';

/**
 * Puts the script that sets the colour scheme inline, which saves a request that delays the first paint. The server's content security
 * policy allows it by its hash.
 */
export function inlineColorScheme(): Plugin {
  return {
    name: 'inline-color-scheme',
    apply: 'build',
    transformIndexHtml: (html) => {
      if (!html.includes(TAG)) throw new Error(`index.html does not contain ${TAG}`);
      const code = readFileSync(FILE, 'utf8')
        .replaceAll(/^\/\/.*\n/gm, '')
        .trim();
      return html.replace(TAG, () => `<script>${code}</script>`);
    },
  };
}
