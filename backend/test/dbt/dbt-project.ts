import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import nunjucks from 'nunjucks';
import { parse } from 'yaml';

const FOLDER = path.resolve(import.meta.dirname, '..', '..', '..', 'deploy', 'dbt');

interface Column {
  name: string;
  data_tests?: string[];
}
interface Source {
  name: string;
  identifier: string;
  config: { enabled: string };
  columns: Column[];
}
export interface Model {
  name: string;
  config: { enabled: string; meta: { streams: string[] } };
  data_tests: { one_row_per: { arguments: { columns: string[] } } }[];
  columns: Column[];
  /** The template of its file. */
  sql: string;
}

const read = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8');
const parseFile = <Content>(file: string): Content => parse(read(file)) as Content;

/** The package as dbt reads it, with the Jinja parts that it uses: config, source and var. */
export class DbtProject {
  private readonly variables: Record<string, unknown>;
  readonly sources: Source[];
  readonly models: Model[];
  /** Names of the model files. */
  readonly files = globSync('models/**/*.sql', { cwd: FOLDER }).map((file) => path.basename(file, '.sql'));

  /** @param schema of the tables; `variables` replace those of the package */
  constructor(
    private readonly schema: string,
    variables: Record<string, unknown> = {},
  ) {
    const project = parseFile<{ vars: { tributary: Record<string, unknown> } }>('dbt_project.yml');
    this.variables = { ...project.vars.tributary, ...variables };
    this.sources = parseFile<{ sources: { tables: Source[] }[] }>('models/sources.yml').sources.flatMap(({ tables }) => tables);
    const { models } = parseFile<{ models: Omit<Model, 'sql'>[] }>('models/models.yml');
    this.models = models.map((model) => ({ ...model, sql: read(`models/${model.name}.sql`) }));
  }

  /** The statement of a model or a test. An undefined name is an error. */
  render(template: string, names: Record<string, unknown> = {}): string {
    const environment = new nunjucks.Environment(null, { autoescape: false, throwOnUndefined: true });
    return environment.renderString(template, {
      config: () => '',
      source: (_: string, table: string) => this.locationOf(table),
      var: (name: string, otherwise?: unknown) => this.variables[name] ?? otherwise,
      target: { schema: this.schema, database: 'warehouse' },
      ...names,
    });
  }

  /** The rows that violate the key of a model. */
  keyTest({ data_tests, sql }: Model): string {
    const body = read('tests/generic/one_row_per.sql').replace(/\{% (test .*|endtest) %\}/g, '');
    return this.render(body, { model: `(${this.render(sql)}) as rows`, columns: data_tests[0]?.one_row_per.arguments.columns });
  }

  isEnabled({ config }: Model | Source): boolean {
    return this.render(config.enabled) === 'true';
  }

  private locationOf(table: string): string {
    const source = this.sources.find(({ name }) => name === table);
    if (!source) throw new Error(`the source ${table} is not declared`);
    return `"${this.schema}"."${this.render(source.identifier)}"`;
  }
}
