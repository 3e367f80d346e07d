import type { OpenAPIObject } from '@nestjs/swagger';
import { providerFields } from '../catalog/index.js';
import { allProviders, type ProviderNames } from '../connectors/registry.js';
import { listOperations, type Parameter, schemasOf } from './schema.js';

/** Lists the providers of each field that holds one. The types of the fields are texts, because folders declare the providers. */
export function addProviders(document: OpenAPIObject, kind: keyof ProviderNames): void {
  const schemas = schemasOf(document);
  for (const [place, names] of providerFields) {
    const [name = '', field = ''] = place.split('.');
    const schema = schemas[name]?.properties?.[field];
    if (schema) schema.enum = names[kind];
  }
  for (const { operation } of listOperations(document))
    for (const parameter of (operation.parameters ?? []) as Parameter[])
      if (parameter.name === 'provider' && parameter.in === 'query') parameter.schema.enum = allProviders[kind];
}
