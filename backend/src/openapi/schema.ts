import type { OpenAPIObject } from '@nestjs/swagger';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** The part of JSON Schema that this code uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  pattern?: string;
  description?: string;
  example?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

export interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, object>;
}

export interface OperationEntry {
  path: string;
  method: string;
  operation: Operation;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export const listOperations = (document: OpenAPIObject): OperationEntry[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );

export const schemasOf = (document: OpenAPIObject): Record<string, Schema> =>
  (document.components?.schemas ?? {}) as Record<string, Schema>;

export const hasType = (schema: Schema, type: string): boolean => [schema.type].flat().includes(type);

/** Yields a schema and all nested schemas, each with the name of its property. */
export function* walkSchema(schema: Schema, name: string): Generator<{ schema: Schema; name: string }> {
  yield { schema, name };
  for (const [property, child] of Object.entries(schema.properties ?? {})) yield* walkSchema(child, property);
  if (schema.items) yield* walkSchema(schema.items, name);
  if (typeof schema.additionalProperties === 'object') yield* walkSchema(schema.additionalProperties, name);
  for (const child of [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.oneOf ?? [])]) yield* walkSchema(child, name);
}
