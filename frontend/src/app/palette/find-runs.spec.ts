import { expect, test } from 'vitest';
import { runQuestionOf } from './find-runs';

const connections = [
  { id: 'c1', name: 'Meta Ads Europe' },
  { id: 'c2', name: 'Search DE' },
];
const ID = '019a8c3e-0f7b-7cc2-9d41-5f0f5a6f1b22';

test.each([
  [ID, { runId: ID }],
  [` ${ID.toUpperCase()} `, { runId: ID }],
  ['run', { connectionId: null }],
  ['Runs', { connectionId: null }],
  ['latest run', { connectionId: null }],
  ['runs of search', { connectionId: 'c2' }],
  ['run meta', { connectionId: 'c1' }],
  ['last run of mtads', { connectionId: 'c1' }],
  ['run something else', null],
  ['run search now', { connectionId: 'c2' }],
  ['search', null],
  ['prune', null],
  ['', null],
])('“%s” asks for %j', (query, question) => expect(runQuestionOf(query, connections)).toEqual(question));
