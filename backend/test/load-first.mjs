// firebase-admin requires jose, an ES module, from CommonJS. Jest rejects that while one of our imports is loading jose
// (ERR_REQUIRE_CYCLE_MODULE, jest-runtime 30.5.2); Node does not. Loading jose first avoids the error.
import 'jose';
