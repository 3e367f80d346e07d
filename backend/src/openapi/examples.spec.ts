import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listOperations, type MediaType, type Parameter } from './schema.js';
import type { OpenAPIObject } from '@nestjs/swagger';

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenAPIObject;

/** Names of the properties whose example is only their name, such as `message: "message"`. */
function placeholdersIn(value: unknown, name: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => placeholdersIn(item, name));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => placeholdersIn(item, key));
  return value === name && name !== '' ? [name] : [];
}

it.each(listOperations(document).map(({ operation }) => [operation.operationId ?? '', operation] as const))(
  'the examples of %s are realistic values',
  (_, operation) => {
    const { content } = (operation.requestBody ?? {}) as { content?: Record<string, MediaType> };
    const answers = Object.values(operation.responses) as { content?: Record<string, MediaType> }[];
    const media = [content, ...answers.map((answer) => answer.content)].flatMap((known) => Object.values(known ?? {}));
    const parameters = ((operation.parameters ?? []) as Parameter[]).flatMap(({ example, name }) =>
      placeholdersIn(example, name),
    );
    expect([...parameters, ...media.flatMap(({ example }) => placeholdersIn(example, ''))]).toEqual([]);
  },
);
