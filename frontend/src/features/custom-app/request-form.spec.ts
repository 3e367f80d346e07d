import { expect, it } from 'vitest';
import { changeOf, errorsOf } from './request-form';

const empty = { title: '', documentation: '', wantedData: '', accessKind: '', contactEmail: '' };

it('accepts an incomplete draft and reports all missing fields on submit', () => {
  expect(errorsOf(empty, false)).toEqual({});
  expect(Object.keys(errorsOf(empty, true))).toEqual(['title', 'documentation', 'wantedData', 'accessKind', 'contactEmail']);
});

it('rejects an invalid URL and an invalid email address in a draft', () => {
  expect(errorsOf({ ...empty, documentation: 'see wiki', contactEmail: 'me' }, false)).toEqual({
    documentation: 'Enter a URL: https://…',
    contactEmail: 'Enter a valid email address',
  });
});

it('sends empty fields as null', () => {
  expect(changeOf({ ...empty, title: '  Till ' }, 3)).toEqual({
    title: 'Till',
    documentation: null,
    wantedData: null,
    accessKind: null,
    contactEmail: null,
    version: 3,
  });
});
