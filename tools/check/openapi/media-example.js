// Spectral compiles the schema of each example again: three quarters of its processor time are for schemas and examples that many
// operations have, such as those of the errors. This is its own function, called once for each pair of a schema and its examples.
import { oas } from '@stoplight/spectral-rulesets';

const { function: validExample } = oas.rules['oas3-valid-media-example'].then;
const valid = new Set();

/** @type {(...parameters: Parameters<typeof validExample>) => ReturnType<typeof validExample>} */
const mediaExample = (media, options, context) => {
  const { path } = context;
  // What is required depends on the side: a response has no fields that are write-only.
  const side = path[0] === 'paths' ? path[3] : path[1];
  const key = JSON.stringify([side, media.schema, media.example, media.examples]);
  if (valid.has(key)) return undefined;
  const results = validExample(media, options, context);
  if (Array.isArray(results) && results.length === 0) valid.add(key);
  return results;
};
export default mediaExample;
