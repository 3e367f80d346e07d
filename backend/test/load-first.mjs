// firebase-admin requires jose, an ES module, from CommonJS. Jest refuses that while jose is being loaded by an import of ours
// (ERR_REQUIRE_CYCLE_MODULE, jest-runtime 30.5.2); Node does not. Loaded first, it is there for both.
import 'jose';
