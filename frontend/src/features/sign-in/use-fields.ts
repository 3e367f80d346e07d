import { useState } from 'react';
import type { ChangeEvent, SubmitEvent } from 'react';
import { focusFirstError } from '~/lib/focus-first-error';

type Texts<Name extends string> = Record<Name, string>;
type Errors<Name extends string> = Partial<Record<Name, string | null>>;
/** Returns the text of the error, or null. */
type Rules<Name extends string> = Record<Name, (value: string) => string | null>;

/**
 * The text fields of a sign-in page. `@mantine/form` can do more, but is larger than the rest of these pages, which are the first that
 * anyone loads.
 */
export function useFields<Name extends string>(initial: Texts<Name>, rules: Rules<Name>) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Errors<Name>>({});
  const names = Object.keys(initial) as Name[];
  const setError = (name: Name, error: string | null) => setErrors((before) => ({ ...before, [name]: error }));
  const change = (changed: Partial<Texts<Name>>) => {
    setValues((before) => ({ ...before, ...changed }));
    setErrors((before) => ({ ...before, ...Object.fromEntries(Object.keys(changed).map((name) => [name, null])) }));
  };
  return {
    values,
    change,
    setError,
    /** The properties of an input. */
    field: (name: Name) => ({
      value: values[name],
      error: errors[name] ?? null,
      onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [name]: event.currentTarget.value } as Partial<Texts<Name>>),
    }),
    /** Calls `submit` if all fields are valid. Otherwise moves the focus to the first invalid one. */
    onSubmit: (submit: (values: Texts<Name>) => void) => (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      const found = Object.fromEntries(names.map((name) => [name, rules[name](values[name])])) as Errors<Name>;
      setErrors(found);
      if (names.some((name) => found[name] !== null)) focusFirstError(found, values, event);
      else submit(values);
    },
  };
}
