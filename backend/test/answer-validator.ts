import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { default as formats } from 'ajv-formats';

type Operations = Record<
  string,
  Record<string, { responses?: Record<string, { content?: Record<string, { schema: object }> }> }>
>;

const PROBLEM_FIELDS = ['type', 'title', 'status', 'code', 'detail', 'requestId'];

/** Validates responses against the OpenAPI document, so that the document cannot differ from the product. */
export class AnswerValidator {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly paths: { pattern: RegExp; template: string }[];
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenAPIObject) {
    formats.default(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', components: document.components });
    // Literal segments before parameters: /apps/oauth/complete is not an app's id.
    this.paths = Object.keys(document.paths)
      .sort((left, right) => left.split('{').length - right.split('{').length)
      .map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`) }));
  }

  assertDescribed(method: string, path: string, status: number, body: Record<string, unknown> | undefined): void {
    const pathname = path.split('?')[0] ?? '';
    const template = this.paths.find(({ pattern }) => pattern.test(pathname))?.template;
    if (status >= 400) return this.assertProblem(`${method} ${pathname}`, status, body);
    if (!template) throw new Error(`${method} ${pathname} returned ${status} and is not in the OpenAPI document`);
    const operation = (this.document.paths as unknown as Operations)[template]?.[method.toLowerCase()];
    const response = operation?.responses?.[String(status)];
    if (!response) throw new Error(`${method} ${template} returned ${status}, which is not in the OpenAPI document`);
    const schema = response.content?.['application/json']?.schema;
    if (!schema || body === undefined) return;
    const key = `${method} ${template} ${status}`;
    const validate = this.compiled.get(key) ?? this.ajv.compile(withReferences(schema));
    this.compiled.set(key, validate);
    if (!validate(body))
      throw new Error(
        `${key} is not as described: ${this.ajv.errorsText(validate.errors)}\n${JSON.stringify(body).slice(0, 1_000)}`,
      );
  }

  private assertProblem(call: string, status: number, body: Record<string, unknown> | undefined): void {
    if (body && 'status' in body && body['status'] === 'not_found') return; // the documented read has its own format
    const missing = PROBLEM_FIELDS.filter((field) => !body || !(field in body));
    if (missing.length > 0)
      throw new Error(`${call} answered ${status} without ${missing.join(', ')}: ${JSON.stringify(body)?.slice(0, 500)}`);
  }
}

const withReferences = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as object;
