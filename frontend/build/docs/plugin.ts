import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { readDocs } from './pages.ts';
import { renderDocs } from './render.ts';

const repository = path.join(import.meta.dirname, '..', '..', '..');
const STYLESHEET = '/docs/docs.css';
/** The fonts of the web app, by their family in docs.css. */
const FONTS = {
  'Geist Variable': /geist-latin-wght-normal.*\.woff2$/,
  'Geist Mono Variable': /geist-mono-latin-wght-normal.*\.woff2$/,
};

const fontFace = (family: string, file: string | undefined): string =>
  file ? `@font-face{font-family:"${family}";src:url("/${file}") format("woff2");font-weight:100 900;font-display:swap}\n` : '';

/** Adds the documentation to the build, as static pages below `/docs`. */
export function docsSite(): Plugin {
  return {
    name: 'docs-site',
    apply: 'build',
    generateBundle(_options, bundle) {
      const emit = (fileName: string, source: string | Uint8Array) => this.emitFile({ type: 'asset', fileName, source });
      const pages = renderDocs(readDocs(repository), STYLESHEET);
      const broken = pages.flatMap(({ slug, brokenLinks }) => brokenLinks.map((link) => `${slug || 'README'}: ${link}`));
      if (broken.length > 0) this.error(`The documentation links to files that are not part of it:\n${broken.join('\n')}`);
      for (const { slug, html } of pages) emit(slug === '' ? 'docs/index.html' : `docs/${slug}.html`, html);
      for (const image of new Set(pages.flatMap(({ images }) => images)))
        emit(`docs/images/${path.basename(image)}`, readFileSync(path.join(repository, image)));
      const faces = Object.entries(FONTS).map(([family, file]) =>
        fontFace(
          family,
          Object.keys(bundle).find((name) => file.test(name)),
        ),
      );
      emit(STYLESHEET.slice(1), faces.join('') + readFileSync(path.join(import.meta.dirname, 'docs.css'), 'utf8'));
    },
  };
}
