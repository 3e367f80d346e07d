import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { expect, it } from 'vitest';
import { readableCollectionOf } from './location.interceptor.js';

const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenAPIObject;
const withoutNames = (path: string): string => path.replace(/\{\w+\}/g, '{}');
const readable = new Set(
  Object.entries(paths).flatMap(([path, { get }]) => (get && path.endsWith('}') ? [withoutNames(path)] : [])),
);
const collections = Object.entries(paths).flatMap(([path, { post }]) => (post?.responses['201'] ? [path] : []));

it.each(collections)('the Location of a new resource of %s can be read, or is not sent', (path) => {
  const collection = readableCollectionOf(path);
  if (collection === null) expect([...readable]).not.toContain(`${withoutNames(path)}/{}`);
  else expect([...readable]).toContain(`${withoutNames(collection)}/{}`);
});

it.each(collections)('the response for a new resource of %s documents a Location only if it has one', (path) => {
  const { headers } = paths[path]?.post?.responses['201'] as { headers: Record<string, object> };
  expect('Location' in headers).toBe(readableCollectionOf(path) !== null);
});
