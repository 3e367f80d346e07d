/** What fields are filled with that nobody means. */
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
  'a text of 900 kB': 'x'.repeat(900_000),
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
  'depth': deep(500),
}; // prettier-ignore

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
  'two megabytes': JSON.stringify({ name: 'x'.repeat(2_000_000) }),
}; // prettier-ignore
