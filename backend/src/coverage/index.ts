/** What other modules may use of `coverage`. */
export { COMPLETE_THROUGH, readAfterEnd } from './complete-through.js';
