import { InvalidFault } from '../faults.ts';
import type { Provider } from '../provider.ts';
import { postgresqlFaults, WarehouseFaults } from './faults.ts';

/** A real PostgreSQL, in which the sandbox can only cause faults. */
export function postgresql(warehouseUrl: string | undefined): Provider {
  return {
    name: 'postgresql',
    title: 'PostgreSQL',
    faults: postgresqlFaults,
    open() {
      const warehouse = warehouseUrl ? new WarehouseFaults(warehouseUrl) : null;
      return {
        routes: [],
        description: `<p>${warehouse ? 'Faults apply to the demo’s warehouse.' : 'Started without a warehouse: its faults are rejected.'}</p>`,
        apply: async (fault) => {
          if (!warehouse) throw new InvalidFault('The sandbox has no warehouse: start it with SANDBOX_WAREHOUSE_URL');
          await warehouse.apply(fault);
        },
        clear: async () => {
          await warehouse?.clear();
        },
      };
    },
  };
}
