// Signs in from this page, and fills in what the caller would have to look up. The token lives as long as the page.
const PROVIDER = 'https://identitytoolkit.googleapis.com';
const byId = (id) => document.getElementById(id);
const readJson = async (url, init) => {
  const response = await fetch(url, init);
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail ?? body.error?.message ?? `${url} answered ${response.status}`);
  return body;
};

const [config, description] = await Promise.all([readJson('/config.json'), readJson('/api/openapi.json')]);
const signIn = byId('sign-in');
if (config.demo) Object.assign(signIn.email, { value: config.demo.email });
if (config.demo) Object.assign(signIn.password, { value: config.demo.password });
draw(null, {});

signIn.addEventListener('submit', async (event) => {
  event.preventDefault();
  await showFailure(async () => {
    const typed = signIn.token.value.trim();
    const caller = typed ? { token: typed } : await signInWithPassword(signIn.email.value, signIn.password.value);
    await showCaller(caller);
  });
});
byId('sign-out').addEventListener('click', () => location.reload());

/** Firebase's own call, at the emulator when there is one. */
async function signInWithPassword(email, password) {
  const host = config.authEmulatorUrl ? `${config.authEmulatorUrl}/identitytoolkit.googleapis.com` : PROVIDER;
  const answer = await readJson(`${host}/v1/accounts:signInWithPassword?key=${encodeURIComponent(config.firebase.apiKey)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
  });
  return { token: answer.idToken, uid: answer.localId, email: answer.email };
}

async function showCaller(caller) {
  const headers = { authorization: `Bearer ${caller.token}` };
  const isKey = caller.token.startsWith('trb_');
  // A key belongs to one organization, which it cannot look up: that one is typed in where it is asked for.
  const { organizations } = isKey ? { organizations: [] } : await readJson('/api/getOrganizationIds', { headers });
  const select = byId('organization');
  select.replaceChildren(...organizations.map(({ organizationId, companyName }) => new Option(companyName, organizationId)));
  select.closest('label').hidden = organizations.length === 0;
  select.onchange = () => draw(caller, { ...known(caller), organizationId: select.value });
  byId('who').textContent = isKey ? 'API key' : (caller.email ?? 'Token');
  signIn.hidden = true;
  byId('signed-in').hidden = false;
  draw(caller, { ...known(caller), organizationId: organizations[0]?.organizationId });
}

const known = ({ uid, email }) => ({ userId: uid, uid, email });

/** @param values by name of parameter or field; what is undefined keeps its example */
function draw(caller, values) {
  const spec = structuredClone(description);
  for (const operation of Object.values(spec.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters ?? []) fillParameter(parameter, values);
    for (const media of Object.values(operation.requestBody?.content ?? {})) fillFields(media.example, values);
  }
  const explorer = window.SwaggerUIBundle({
    spec,
    domNode: byId('explorer'),
    deepLinking: true,
    displayOperationId: true,
    displayRequestDuration: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    filter: true,
    persistAuthorization: false,
    queryConfigEnabled: false,
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => {
      if (!caller) return;
      for (const scheme of Object.keys(description.components.securitySchemes)) explorer.preauthorizeApiKey(scheme, caller.token);
    },
  });
}

function fillParameter(parameter, values) {
  if (values[parameter.name] !== undefined) parameter.example = values[parameter.name];
  // An optional one is left empty: an example there would narrow the answer to nothing.
  else if (!parameter.required) delete parameter.example;
}

function fillFields(example, values) {
  if (example === null || typeof example !== 'object') return;
  for (const name of Object.keys(example)) {
    const value = values[name === 'organization_id' ? 'organizationId' : name];
    if (value !== undefined) example[name] = value;
    else fillFields(example[name], values);
  }
}

async function showFailure(work) {
  const failure = byId('failure');
  failure.hidden = true;
  try {
    await work();
  } catch (error) {
    failure.textContent = `Not signed in: ${error.message}`;
    failure.hidden = false;
  }
}
