/** Invalid values for fields. */
const deep = (levels: number): unknown => {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

export const WRONG_VALUES: Record<string, unknown> = {
  'a number': 12_345,
  'a negative number': -1,
  'a fraction': 0.5,
  'a number past 2^53': Number.MAX_SAFE_INTEGER + 1,
  'a number past all columns': 1e300,
  'true': true,
  'null': null,
  'an empty list': [],
  'a list of texts': ['text', 'text'],
  'a list of lists': [[['text']]],
  'an empty object': {},
  'an object': { $ne: null, length: 3, toString: 'text' },
  'an empty text': '',
  'blanks': ' \t\n ',
  'a text of 50 kB': 'x'.repeat(50_000),
  'a null character': 'a\u0000b',
  'half a character': 'a\ud800b',
  'controls and directions': '\u0007\u001b[31m\u202e\ufeff',
  'many languages': '名前 🦊‍🔥 ̴̛̗ זה',
  'not a number, as text': 'NaN',
  'infinity, as text': '-Infinity',
  'SQL': `'; drop table members; --`,
  'SQL in a comment': '1/**/or/**/1=1',
  'a template': '${7*7}{{7*7}}<%= 7*7 %>',
  'markup': '<script>alert(1)</script>',
  'a path': '../../../../etc/passwd',
  'a prototype': '__proto__',
  'a date that is none': '2026-02-31',
}; // prettier-ignore

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const named = (count: number): object => Object.fromEntries(numbers(count).map((number) => [`field${number}`, number]));

/** Values that no field may have: rejected before field validation. */
export const OVERSIZED_VALUES: Record<string, unknown> = {
  'a text of 400 kB': 'x'.repeat(400_000),
  'depth': deep(500),
  'a deep object': JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`),
  'many keys': named(3_000),
  'a big list': numbers(8_000),
  'a big list of objects': Array.from({ length: 8_000 }, () => ({})),
  'many big lists': Array.from({ length: 30 }, () => Array.from({ length: 900 }, () => 0)),
}; // prettier-ignore

const LATER = 'aaaaaaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa';

/** Well-formed cursors that no list has issued: base64url of JSON, with values of wrong types, sizes and numbers. */
export const FORGED_CURSORS: Record<string, unknown> = {
  'no list': { id: LATER },
  'null': null,
  'an empty list': [],
  'a text that is no id': ['x'],
  'an empty text': [''],
  'a number': [5],
  'a huge number': [1e308, 1e308],
  'a negative number': [-1, LATER],
  'a fraction': [0.5, LATER],
  'a bare id': [LATER],
  'two bare ids': [LATER, LATER],
  'an id and text': [LATER, 'x'],
  'a far date': ['+275760-09-13T00:00:00.000Z', LATER],
  'a date before the calendar': ['0000-01-01T00:00:00.000Z', LATER],
  'a date that is none': ['2026-02-31T00:00:00.000Z', LATER],
  'a word that PostgreSQL takes for a date': ['infinity', LATER],
  'a list in a list': [[LATER]],
  'nulls': [null, null],
  'booleans': [true, false],
  'a null character': ['a\u0000b', LATER],
  'half a character': ['a\ud800b', LATER],
  'SQL': [`'; drop table members; --`, LATER],
  'many values': Array.from({ length: 60 }, () => 1),
  'the cursor of a list that does not exist': ['nothing', LATER],
}; // prettier-ignore

export const forged = (values: unknown): string => Buffer.from(JSON.stringify(values)).toString('base64url');

export const WRONG_IDS: string[] = [
  'not-a-uuid',
  '%00',
  'a%00b',
  '%F0%9F%A6%8A',
  '%ED%A0%80',
  '%ZZ',
  '..%2F..%2Fetc%2Fpasswd',
  `'%20or%201=1--`,
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '9007199254740993',
  '%7B0192f0c1-7a5e-7c3a-9f1e-5b8f6a2d4c10%7D',
  'x'.repeat(5_000),
];

export const WRONG_BODIES: Record<string, string> = {
  'nothing': '',
  'a list': '[]',
  'a text': '"text"',
  'a number': '5',
  'null': 'null',
  'half': '{"name": ',
  'single quotes': `{'name': 'x'}`,
  'a byte order mark and nothing': '\ufeff',
  'a prototype': '{"__proto__": {"isSuperAdmin": true, "role": "owner"}}',
  'a constructor': '{"constructor": {"prototype": {"role": "owner"}}}',
  'inherited names': '{"toString": 1, "hasOwnProperty": 1, "valueOf": null}',
  'a thousand unknown fields': JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`field${n}`, n]))),
  'bottomless lists': `{"name": ${'['.repeat(300_000)}${']'.repeat(300_000)}}`,
  'bottomless objects': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'many keys': JSON.stringify(named(4_000)),
  'a big list': JSON.stringify({ name: numbers(10_000) }),
  'the same text many times': `{"name": [${'"a",'.repeat(14_000)}"a"]}`,
  'many empty objects': `{"name": [${'{},'.repeat(20_000)}{}]}`,
  'forty levels of lists': `{"name": ${'['.repeat(40)}${']'.repeat(40)}}`,
  'forty levels of objects': `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  'two megabytes': JSON.stringify({ name: 'x'.repeat(2_000_000) }),
}; // prettier-ignore
