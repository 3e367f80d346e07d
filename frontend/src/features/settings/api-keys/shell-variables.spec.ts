import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { shellVariables } from './shell-variables';

const shown = shellVariables('http://localhost:3000', 'trb_1', 'o1').split('\n');
const guide = readFileSync(path.resolve(import.meta.dirname, '../../../../../docs/api.md'), 'utf8');
const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const assigned = (text: string): string[] =>
  [...text.matchAll(/^ *(?:export )?(\w+)=|\bfor (\w+) in/gm)].map(([, name = '', item]) => item ?? name);

it('a new key is shown with every variable that the commands of docs/api.md use', () => {
  const [, ...commands] = blocks;
  expect(commands.length).toBeGreaterThan(3);
  for (const command of commands) {
    const own = assigned(command);
    const used = [...command.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
    // jq's own variables are declared with --arg.
    const jq = [...command.matchAll(/--arg (\w+)/g)].map(([, name = '']) => name);
    expect([...assigned(shown.join('\n')), ...own, ...jq]).toEqual(expect.arrayContaining(used));
  }
});

it('the first block of docs/api.md has the same variables', () => {
  const [variables = ''] = blocks;
  expect(assigned(variables)).toEqual(assigned(shown.join('\n')));
});
