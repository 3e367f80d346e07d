/** What other modules may use of `read-models`: SQL that reads tables of several modules. It writes nothing. */
export { SUBJECT_NAME } from './alert-subject-name.js';
export { countCatchUp, listAccountsOfApp, listConnectionsOfApp, listUsersOfApp } from './app-use.js';
export { CHOSEN_ACCOUNTS } from './chosen-accounts.js';
export { COMPLETE_THROUGH, readAfterEnd } from './complete-through.js';
export { completenessSql, type CompletenessRow } from './completeness.js';
export { findDemoConnection } from './demo-connection.js';
export { findEnds } from './connection-ends.js';
export { listLoadedPlaces, listLoadedRanges, type PlaceOfStream } from './loaded-ranges.js';
export { type NumbersOfWeek, readNumbersOfWeek } from './numbers-of-week.js';
export { countUsage, listRowsByDay } from './usage.js';
export { listWrittenStreams, type WrittenStream } from './written-streams.js';
