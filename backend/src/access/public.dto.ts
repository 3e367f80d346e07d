export class Status {
  status: 'ok';
}

export class FirebaseConfig {
  apiKey: string;
  authDomain: string;
  projectId: string;
}

export class DemoSignIn {
  email: string;
  password: string;
}

export class BillingConfig {
  /** Whether organizations need a subscription on this instance. */
  isOn: boolean;
  /** Origin of the endpoints under /billing; empty for the same origin. */
  apiBase: string;
}

export class IntercomConfig {
  appId: string;
  /** API of the Intercom region. */
  apiBase: string;
}

export class PublicConfig {
  productName: string;
  firebase: FirebaseConfig;
  /** Set when users sign in with the emulator. */
  authEmulatorUrl: string | null;
  isDemo: boolean;
  /** Shown on the sign-in page of a demo. */
  demo: DemoSignIn | null;
  /** Connection URL of a test database, offered as a destination in a demo. */
  demoWarehouseUrl: string | null;
  /** Restricted key of a simulated Stripe account, offered as an app in a demo. */
  demoStripeKey: string | null;
  sandboxUrl: string | null;
  mailUrl: string | null;
  billing: BillingConfig;
  /** Null when Intercom is not configured. */
  intercom: IntercomConfig | null;
  /** A page or a mailto: address where users get help; null when it is not configured. */
  supportUrl: string | null;
  /** Maximum bytes that a browser stores of what a user saw on the last visit of an organization. */
  readCacheBytes: number;
  /** Changes with every deployment. */
  build: string;
}
