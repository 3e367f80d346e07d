import { PROBLEMS } from '../http/problem.js';

/** The catalogue as a page; `type` of every error leads to its row. */
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
      <p>Every error is <code>application/problem+json</code> (RFC 9457). Branch on <code>code</code>: it is stable, texts are not.
      <code>detail</code> is for people, <code>action</code> says what to do, <code>errors</code> names each wrong field, and
      <code>requestId</code> finds the call in the log.</p>
      <table>
        <thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">What it says</th></tr></thead>
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
