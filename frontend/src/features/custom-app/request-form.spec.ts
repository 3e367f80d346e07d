import { expect, it } from 'vitest';
import { changeOf, errorsOf } from './request-form';

const empty = { title: '', documentation: '', wantedData: '', accessKind: '', contactEmail: '' };

it('keeps a draft with anything missing, and names all of it when it is handed in', () => {
  expect(errorsOf(empty, false)).toEqual({});
  expect(Object.keys(errorsOf(empty, true))).toEqual(['title', 'documentation', 'wantedData', 'accessKind', 'contactEmail']);
});

it('refuses what is no address and no e-mail in a draft too', () => {
  expect(errorsOf({ ...empty, documentation: 'see wiki', contactEmail: 'me' }, false)).toEqual({
    documentation: 'Give the address: https://…',
    contactEmail: 'Give an e-mail address',
  });
});

it('sends what was emptied as not said', () => {
  expect(changeOf({ ...empty, title: '  Till ' }, 3)).toEqual({
    title: 'Till',
    documentation: null,
    wantedData: null,
    accessKind: null,
    contactEmail: null,
    version: 3,
  });
});
