/** Client of the product's HTTP API. */
export class ProductClient {
  readonly #productUrl: string;
  readonly #idToken: string;

  constructor(productUrl: string, idToken: string) {
    this.#productUrl = productUrl;
    this.#idToken = idToken;
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.#call('GET', path);
  }

  post<Answer>(path: string, body: object = {}): Promise<Answer> {
    return this.#call('POST', path, body);
  }

  patch<Answer>(path: string, body: object): Promise<Answer> {
    return this.#call('PATCH', path, body);
  }

  async #call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.#productUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#idToken}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 800)}`);
    return JSON.parse(text) as Answer;
  }
}
