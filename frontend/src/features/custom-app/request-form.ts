import type { Submission, SubmissionChange } from '~/api/types';

/** Everything as it is typed; empty is what has not been said. */
export interface RequestValues {
  title: string;
  documentation: string;
  wantedData: string;
  accessKind: string;
  contactEmail: string;
}
export type RequestField = keyof RequestValues;

export const requestFields: RequestField[] = ['title', 'documentation', 'wantedData', 'accessKind', 'contactEmail'];

export const fieldWords: Record<RequestField, string> = {
  title: 'What it is',
  documentation: 'Documentation',
  wantedData: 'Which data',
  accessKind: 'How access is given',
  contactEmail: 'Contact',
};

const neededWords: Record<RequestField, string> = {
  title: 'Say what it is',
  documentation: 'Give the address of its documentation',
  wantedData: 'Say which data you need',
  accessKind: 'Choose how access is given',
  contactEmail: 'Say whom to ask',
};

export const accessOptions = [
  { value: 'oauth2', label: 'Signing in (OAuth)' },
  { value: 'api_key', label: 'An API key' },
  { value: 'password', label: 'User and password' },
  { value: 'files', label: 'Files, such as CSV' },
  { value: 'other', label: 'Something else' },
];

export const accessWord = (kind: string | null): string => accessOptions.find(({ value }) => value === kind)?.label ?? '—';

export const valuesOf = (submission: Submission): RequestValues => ({
  title: submission.title ?? '',
  documentation: submission.documentation ?? '',
  wantedData: submission.wantedData ?? '',
  accessKind: submission.accessKind ?? '',
  contactEmail: submission.contactEmail ?? '',
});

export const changeOf = (values: RequestValues, version: number): SubmissionChange => {
  const entries = requestFields.map((field) => [field, values[field].trim() === '' ? null : values[field].trim()]);
  return { ...(Object.fromEntries(entries) as Omit<SubmissionChange, 'version'>), version };
};

const isAddress = (text: string): boolean => /^https?:\/\/[^\s/]+\.[^\s]+$/i.test(text);
const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** What is wrong with what is typed; what is missing counts only when it is handed in. */
export function errorsOf(values: RequestValues, isHandedIn: boolean): Partial<Record<RequestField, string>> {
  const errors: Partial<Record<RequestField, string>> = {};
  for (const field of requestFields) if (isHandedIn && values[field].trim() === '') errors[field] = neededWords[field];
  const { documentation, contactEmail } = values;
  if (documentation.trim() !== '' && !isAddress(documentation.trim())) errors.documentation = 'Give the address: https://…';
  if (contactEmail.trim() !== '' && !isEmail(contactEmail.trim())) errors.contactEmail = 'Give an e-mail address';
  return errors;
}
