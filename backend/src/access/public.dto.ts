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
  /** Whether organizations need a subscription here. */
  isOn: boolean;
  /** Origin of the calls under /billing; empty: the same. */
  apiBase: string;
}

export class IntercomConfig {
  appId: string;
  /** Where the messenger's data is. */
  apiBase: string;
}

export class PublicConfig {
  productName: string;
  firebase: FirebaseConfig;
  /** Set when people sign in at the emulator. */
  authEmulatorUrl: string | null;
  isDemo: boolean;
  /** Shown on the sign-in page of a demo. */
  demo: DemoSignIn | null;
  /** Connection URL of a database for show, offered as a destination in a demo. */
  demoWarehouseUrl: string | null;
  sandboxUrl: string | null;
  mailUrl: string | null;
  billing: BillingConfig;
  /** Null: nothing of Intercom is loaded. */
  intercom: IntercomConfig | null;
  /** Changes with every deployment. */
  build: string;
}
