import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { type AnalyzeRequest, LanguageOptions, runServer, terminateServer, ZetaSQLClient } from '@fivetrandevelopers/zetasql';

/** A table as BigQuery's REST API describes it. */
export interface CatalogTable {
  /** `project.dataset.table`. */
  name: string;
  fields: { name: string; type: string }[];
}

export interface NamedParameter {
  name: string;
  type: string;
}

export interface ZetaSql {
  /** The types of the statements in a script, as resolved by the analyzer. Rejects with the analyzer's own message. */
  analyze(script: string, tables: CatalogTable[], parameters?: NamedParameter[]): Promise<string[]>;
  stop(): void;
}

const typeKinds: Record<string, 'TYPE_STRING' | 'TYPE_INT64' | 'TYPE_DOUBLE' | 'TYPE_BOOL' | 'TYPE_DATE' | 'TYPE_TIMESTAMP'> = {
  STRING: 'TYPE_STRING',
  INTEGER: 'TYPE_INT64',
  INT64: 'TYPE_INT64',
  FLOAT: 'TYPE_DOUBLE',
  FLOAT64: 'TYPE_DOUBLE',
  BOOLEAN: 'TYPE_BOOL',
  BOOL: 'TYPE_BOOL',
  DATE: 'TYPE_DATE',
  TIMESTAMP: 'TYPE_TIMESTAMP',
};

function typeOf(type: string) {
  const typeKind = typeKinds[type];
  if (!typeKind) throw new Error(`The type ${type} is not in the test's list`);
  return { typeKind };
}

/** Google's SQL analyzer in a separate process. It parses BigQuery's dialect and resolves names and types. */
export async function startZetaSql(): Promise<ZetaSql> {
  const port = await freePort();
  // The package's promise never settles.
  void runServer(port);
  ZetaSQLClient.init(port);
  const client = ZetaSQLClient.getInstance();
  if (!(await client.testConnection())) throw new Error('The ZetaSQL server does not answer');
  const language = (await new LanguageOptions().enableMaximumLanguageFeatures()).serialize();
  // External means BigQuery: INT64, not INT32. An empty list allows all statement types.
  const languageOptions: typeof language = { ...language, productMode: 'PRODUCT_EXTERNAL', supportedStatementKinds: [] };
  return {
    analyze: async (script, tables, parameters = []) => {
      const request: AnalyzeRequest = {
        options: {
          languageOptions,
          parameterMode: 'PARAMETER_NAMED',
          queryParameters: parameters.map(({ name, type }) => ({ name, type: typeOf(type) })),
        },
        simpleCatalog: {
          name: 'bigquery',
          builtinFunctionOptions: { languageOptions },
          table: tables.map(({ name, fields }, index) => ({
            name,
            serializationId: index + 1,
            column: fields.map((field) => ({ name: field.name, type: typeOf(field.type), isWritableColumn: true })),
          })),
        },
      };
      return analyzeScript(client, request, script);
    },
    stop: () => {
      ZetaSQLClient.API.close();
      terminateServer();
    },
  };
}

/** The analyzer reads one statement at a time and returns where the next one begins. */
async function analyzeScript(client: ZetaSQLClient, request: AnalyzeRequest, script: string): Promise<string[]> {
  const input = Buffer.from(script.trimEnd().replace(/;$/, ''));
  const kinds: string[] = [];
  for (let bytePosition = 0; bytePosition < input.length;) {
    const parseResumeLocation = { input: input.toString(), bytePosition };
    const answer = await client.analyze({ ...request, parseResumeLocation });
    if (!answer) throw new Error('The ZetaSQL server sent nothing');
    kinds.push(answer.resolvedStatement?.node ?? 'none');
    bytePosition = answer.resumeBytePosition ?? input.length;
  }
  return kinds;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
