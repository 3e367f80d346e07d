import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/g;

/** Sources for `script-src` that allow exactly the inline scripts of the built web app. */
export function inlineScriptSources(folder: string | undefined): string[] {
  const page = folder && path.join(folder, 'index.html');
  if (!page || !existsSync(page)) return [];
  return [...readFileSync(page, 'utf8').matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
}
