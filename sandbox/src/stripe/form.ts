export interface Form {
  [name: string]: string | Form;
}

/** Parses 'a[b][0]=c&d[]=e' like Stripe: brackets nest, and a list is an object with numeric keys. */
export function parseForm(text: string): Form {
  const form: Form = emptyForm();
  for (const [name, value] of new URLSearchParams(text)) put(form, pathOf(name), value);
  return form;
}

function pathOf(name: string): string[] {
  const [head = '', ...rest] = name.split('[');
  return [head, ...rest.map((part) => part.replace(/\]$/, ''))];
}

function put(form: Form, [step = '', ...rest]: string[], value: string): void {
  const name = step === '' ? String(Object.keys(form).length) : step;
  if (rest.length === 0) {
    form[name] = value;
    return;
  }
  const inner = form[name];
  const next = typeof inner === 'object' ? inner : emptyForm();
  form[name] = next;
  put(next, rest, value);
}

/** Without a prototype, so that no name in a request has a special meaning. */
function emptyForm(): Form {
  return Object.create(null) as Form;
}
