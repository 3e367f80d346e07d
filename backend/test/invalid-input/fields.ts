import type { OpenAPIObject } from '@nestjs/swagger';
import type { MediaType, OperationEntry, Schema } from '../../src/openapi/schema.js';
import { schemasOf } from '../../src/openapi/schema.js';

/** Every field and every list item of a body, as a path such as `schedule.kind` or `streams.0`. */
export function fieldsOf(document: OpenAPIObject, { operation }: OperationEntry): string[] {
  const body = operation.requestBody as { content?: Record<string, MediaType> } | undefined;
  const schema = body?.content?.['application/json']?.schema;
  return schema ? paths(schema, '', schemasOf(document)) : [];
}

function paths(schema: Schema, place: string, schemas: Record<string, Schema>): string[] {
  if (schema.$ref) return paths(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, place, schemas);
  const alternatives = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const own = place ? `${place}.${name}` : name;
    return [own, ...paths(child, own, schemas)];
  });
  // A whole body that can be a list is a push, whose key comes before its content: its own tests try it.
  return [
    ...inner,
    ...(schema.items && place ? [`${place}.0`] : []),
    ...alternatives.flatMap((each) => paths(each, place, schemas)),
  ];
}

/** The body with one field changed. */
export function withField(body: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.');
  if (Array.isArray(body)) return [rest.length > 0 ? withField(body[0], rest.join('.'), value) : value];
  const object = (body ?? {}) as Record<string, unknown>;
  return { ...object, [name]: rest.length > 0 ? withField(object[name], rest.join('.'), value) : value };
}

/** Whether an error concerns this field, the list that contains it, or its content. */
export const isAbout = (named: string, path: string): boolean =>
  named === path || path.startsWith(`${named}.`) || named.startsWith(`${path}.`);
