import { InvalidFault } from '../faults.ts';
import type { Provider } from '../provider.ts';
import { postgresqlFaults, WarehouseFaults } from './faults.ts';

/** A real PostgreSQL, which the sandbox can only break. */
export function postgresql(warehouseUrl: string | undefined): Provider {
  return {
    name: 'postgresql',
    title: 'PostgreSQL',
    faults: postgresqlFaults,
    open() {
      const warehouse = warehouseUrl ? new WarehouseFaults(warehouseUrl) : null;
      return {
        routes: [],
        description: `<p>${warehouse ? 'Faults strike the demo’s warehouse.' : 'Started without a warehouse: its faults are refused.'}</p>`,
        apply: async (fault) => {
          if (!warehouse) throw new InvalidFault('The sandbox knows no warehouse: start it with SANDBOX_WAREHOUSE_URL');
          await warehouse.apply(fault);
        },
        clear: async () => {
          await warehouse?.clear();
        },
      };
    },
  };
}
