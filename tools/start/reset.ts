/** `make reset`: stops a running instance and empties its folder. */
import { parseArgs } from 'node:util';
import { inRepository } from '../repository.ts';
import { emptyDataFolder } from './empty-data-folder.ts';

const { values } = parseArgs({ options: { data: { type: 'string', default: inRepository('.data') } } });
await emptyDataFolder(values.data, (message) => console.log(message));
console.log(`${values.data} is empty: make start begins anew`);
