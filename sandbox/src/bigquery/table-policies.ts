import { sendJson } from '../router.ts';
import { objectOf, readBody, textOf, type BigQuery, type Call } from './call.ts';
import { IAM_POLICY, ROW_POLICIES, tableKey, type Table } from './store.ts';
import { reachTable } from './tables.ts';

interface Policies {
  policies: { policyId: string; filterPredicate: string }[];
}

/** The policies are stored and listed. They do not filter rows here. */
export function listRowAccessPolicies(bigQuery: BigQuery, call: Call): void {
  const table = reachTable(bigQuery, call, 'rowAccessPolicies.list');
  const { policies } = read(bigQuery, table);
  const rowAccessPolicies = policies.map(({ policyId, filterPredicate }) => ({
    rowAccessPolicyReference: { projectId: table.projectId, datasetId: table.datasetId, tableId: table.tableId, policyId },
    filterPredicate,
  }));
  sendJson(call.response, 200, rowAccessPolicies.length > 0 ? { rowAccessPolicies } : {});
}

export function insertRowAccessPolicy(bigQuery: BigQuery, call: Call): void {
  const table = reachTable(bigQuery, call, 'rowAccessPolicies.create');
  const body = readBody(call.body);
  const reference = objectOf(body.rowAccessPolicyReference, 'rowAccessPolicyReference');
  const policy = {
    policyId: textOf(reference.policyId, 'rowAccessPolicyReference.policyId'),
    filterPredicate: textOf(body.filterPredicate, 'filterPredicate'),
  };
  const { policies } = read(bigQuery, table);
  bigQuery.store.writeDocument(ROW_POLICIES, tableKey(table), { policies: [...policies, policy] });
  sendJson(call.response, 200, body);
}

const read = ({ store }: BigQuery, table: Table): Policies =>
  (store.readDocument(ROW_POLICIES, tableKey(table)) ?? { policies: [] }) as Policies;

/** https://cloud.google.com/bigquery/docs/reference/rest/v2/tables/getIamPolicy. It grants nothing here. */
export function getIamPolicy(bigQuery: BigQuery, call: Call): void {
  const table = reachTable(bigQuery, call, 'tables.getIamPolicy');
  sendJson(call.response, 200, (bigQuery.store.readDocument(IAM_POLICY, tableKey(table)) ?? { etag: 'ACAB' }) as object);
}

export function setIamPolicy(bigQuery: BigQuery, call: Call): void {
  const table = reachTable(bigQuery, call, 'tables.setIamPolicy');
  const policy = { ...objectOf(readBody(call.body).policy, 'policy'), etag: 'ACAB' };
  bigQuery.store.writeDocument(IAM_POLICY, tableKey(table), policy);
  sendJson(call.response, 200, policy);
}
