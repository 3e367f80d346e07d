/** `make reset`: stops a running instance and deletes its data folder. */
import { parseArgs } from 'node:util';
import { inRepository } from '../repository.ts';
import { emptyDataFolder } from './empty-data-folder.ts';

const { values } = parseArgs({ options: { data: { type: 'string', default: inRepository('.data') } } });
await emptyDataFolder(values.data, (message) => console.log(message));
console.log(`Deleted ${values.data}. Run make start to create a new instance.`);
