import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { default as formats } from 'ajv-formats';
import type { MediaType, OperationEntry } from '../../src/openapi/schema.js';

/** Checks whether the document allows a body. */
export class BodyValidator {
  private readonly ajv = new Ajv2020({ strict: false });
  private readonly compiled = new Map<object, ValidateFunction>();

  constructor(document: OpenAPIObject) {
    formats.default(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', components: document.components });
  }

  isValid({ operation }: OperationEntry, body: unknown): boolean {
    const content = (operation.requestBody as { content: Record<string, MediaType> }).content;
    const schema = content['application/json']?.schema;
    if (!schema) throw new Error(`${operation.operationId} has no JSON body`);
    const validate =
      this.compiled.get(schema) ??
      this.ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as object);
    this.compiled.set(schema, validate);
    return validate(body);
  }
}
