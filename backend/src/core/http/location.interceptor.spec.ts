import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { expect, it } from 'vitest';
import { readableCollectionOf } from './location.interceptor.js';

const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenAPIObject;
const withoutNames = (path: string): string => path.replace(/\{\w+\}/g, '{}');
const readable = new Set(
  Object.entries(paths).flatMap(([path, { get }]) => (get && path.endsWith('}') ? [withoutNames(path)] : [])),
);
/** A badge and a share link have no id. */
const WITHOUT_ID = /\/(badge|share-link)$/;
const collections = Object.entries(paths).flatMap(([path, { post }]) =>
  post?.responses['201'] && !WITHOUT_ID.test(path) ? [path] : [],
);

it.each(collections)('the Location of a new resource of %s can be read, or is not sent', (path) => {
  const collection = readableCollectionOf(path);
  if (collection === null) expect([...readable]).not.toContain(`${withoutNames(path)}/{}`);
  else expect([...readable]).toContain(`${withoutNames(collection)}/{}`);
});
