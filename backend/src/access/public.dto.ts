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
  sandboxUrl: string | null;
  mailUrl: string | null;
  billing: BillingConfig;
  /** Null when Intercom is not configured. */
  intercom: IntercomConfig | null;
  /** Changes with every deployment. */
  build: string;
}
