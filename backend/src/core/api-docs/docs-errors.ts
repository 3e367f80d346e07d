import { PROBLEMS } from '../http/problem.js';

/** The error catalog as a page. The `type` of every error links to its row. */
export const errorsPage = (): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Errors of the Tributary API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/api/docs/docs.css" />
    <script src="/api/docs/scheme.js"></script>
  </head>
  <body>
    <header class="bar">
      <h1><a href="/api/docs">Tributary API</a> errors</h1>
    </header>
    <main class="errors">
      <p>Every error is <code>application/problem+json</code> (RFC 9457). Branch on <code>code</code>: it is stable, texts may change.
      <code>detail</code> explains the cause to people, <code>action</code> resolves it, <code>errors</code> lists each invalid field,
      and <code>requestId</code> identifies the request in the log.</p>
      <table>
        <thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Title</th></tr></thead>
        <tbody>
${Object.entries(PROBLEMS)
  .map(([code, { status, title }]) => `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td></tr>`)
  .join('\n')}
        </tbody>
      </table>
    </main>
  </body>
</html>
`;
