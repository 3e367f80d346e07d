import { ApiProblem } from './problem';

export interface FieldError {
  field: string;
  message: string;
}

/** What follows a property name in a message about the property. After `key ads is used twice` nothing can be removed. */
const PREDICATE = /^(must|should|is|has|names|cannot)\b/;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const propertyOf = (field: string): string => field.slice(field.lastIndexOf('.') + 1);

/** `displayName` becomes `Display name`. */
const readable = (property: string): string =>
  capitalized(property.replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`));

/** What a message says of its property, without the name that it may begin with; null for other messages. */
function predicateOf({ field, message }: FieldError): string | null {
  const name = [field, propertyOf(field)].find((each) => message.startsWith(`${each} `));
  const rest = name === undefined ? message : message.slice(name.length + 1);
  return PREDICATE.test(rest) ? rest : null;
}

/** Beside its field, a message would repeat the name of the property: `Must be shorter`. */
function besideField(error: FieldError): FieldError {
  const rest = predicateOf(error);
  const message = error.message.replace(`each value in ${propertyOf(error.field)} `, 'Each value ');
  return { ...error, message: rest === null ? message : capitalized(rest) };
}

/** The rejected fields of a response, with the texts to show beside them. */
export const fieldErrorsOf = (error: unknown): FieldError[] =>
  error instanceof ApiProblem ? error.fieldErrors.map(besideField) : [];

const withReadableName = (error: FieldError): string => {
  const rest = predicateOf(error);
  return rest === null ? error.message : `${readable(propertyOf(error.field))} ${rest}`;
};

/** The text of an error away from its fields. A list of rejected fields has readable names: `Display name must be shorter`. */
export function readableText(text: string, error: unknown): string {
  const errors = error instanceof ApiProblem ? error.fieldErrors : [];
  const list = errors.map(({ message }) => message).join('; ');
  return errors.length > 0 && text === list ? errors.map(withReadableName).join('; ') : text;
}
