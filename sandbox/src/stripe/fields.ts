import { invalid, StripeError } from './errors.ts';
import type { Form } from './form.ts';
import type { Metadata } from './objects.ts';

/** The parameters of a call or of a nested object. Rejects invalid ones with Stripe's messages. */
export class Fields {
  readonly #form: Form;
  readonly #prefix: string;

  constructor(form: Form, prefix = '') {
    this.#form = form;
    this.#prefix = prefix;
  }

  has(name: string): boolean {
    return name in this.#form;
  }

  names(): string[] {
    return Object.keys(this.#form);
  }

  path(name: string): string {
    return this.#prefix ? `${this.#prefix}[${name}]` : name;
  }

  refuseOthersThan(known: readonly string[]): void {
    const unknown = this.names().find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw invalid(`Received unknown parameter: ${this.path(unknown)}`, this.path(unknown), 'parameter_unknown');
  }

  text(name: string): string | undefined {
    const value = this.#form[name];
    if (typeof value === 'object') throw invalid(`Invalid string: {...}`, this.path(name));
    return value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw invalid(`Missing required param: ${this.path(name)}.`, this.path(name), 'parameter_missing');
    if (value === '')
      throw invalid(
        `You passed an empty string for '${this.path(name)}'. We assume empty values are an attempt to unset a parameter; however '${this.path(name)}' cannot be unset.`,
        this.path(name),
        'parameter_invalid_empty',
      );
    return value;
  }

  /** Empty text unsets a field; undefined leaves it unchanged. */
  nullableText(name: string, current: string | null): string | null {
    const value = this.text(name);
    return value === undefined ? current : value || null;
  }

  choice<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.text(name);
    const found = allowed.find((item) => item === value);
    if (value !== undefined && found === undefined)
      throw invalid(`Invalid ${this.path(name)}: must be one of ${allowed.join(', ')}`, this.path(name));
    return found;
  }

  integer(name: string, minimum = 0, maximum = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^-?\d+$/.test(value)) throw invalid(`Invalid integer: ${value}`, this.path(name), 'parameter_invalid_integer');
    const number = Number(value);
    if (number < minimum)
      throw invalid(`This value must be greater than or equal to ${minimum}.`, this.path(name), 'parameter_invalid_integer');
    if (number > maximum)
      throw invalid(`This value must be less than or equal to ${maximum}.`, this.path(name), 'parameter_invalid_integer');
    return number;
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, this.path(name));
    return value === 'true';
  }

  address(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || value === '') return undefined;
    if (!/^https?:/i.test(value) || !URL.canParse(value)) throw invalid('Not a valid URL', this.path(name), 'url_invalid');
    return value;
  }

  object(name: string): Fields | undefined {
    const value = this.#form[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') throw invalid('Invalid object', this.path(name));
    return new Fields(value, this.path(name));
  }

  objects(name: string): Fields[] {
    const list = this.object(name);
    return list ? list.names().flatMap((index) => list.object(index) ?? []) : [];
  }

  texts(name: string): string[] {
    const list = this.object(name);
    return list ? list.names().map((index) => list.requiredText(index)) : [];
  }

  /** Named keys replace, empty text removes, and an empty `metadata` removes all. */
  metadata(current: Metadata = {}): Metadata {
    if (this.#form.metadata === '') return {};
    const merged = new Map(Object.entries(current));
    const given = this.object('metadata');
    for (const name of given?.names() ?? []) {
      const value = given?.text(name) ?? '';
      if (name.length > 40 || value.length > 500)
        throw new StripeError(400, 'invalid_request_error', 'Metadata names may have up to 40 characters, values up to 500.', {
          param: 'metadata',
        });
      if (value === '') merged.delete(name);
      else merged.set(name, value);
    }
    return Object.fromEntries(merged);
  }
}
