import { createElement, lazy, useState } from 'react';
import type { ComponentType } from 'react';

interface ComponentModule {
  default: ComponentType;
}

export interface Preloadable<Module extends ComponentModule = ComponentModule> {
  load: () => Promise<Module>;
  Screen: ComponentType;
}

/**
 * A component whose script can be loaded before it is rendered. After that it renders without suspending: a suspended screen is
 * rendered again from the start, in one long task.
 */
export function preloadable<Module extends ComponentModule>(loadScript: () => Promise<Module>): Preloadable<Module> {
  let loaded: ComponentType | null = null;
  const load = async (): Promise<Module> => {
    const script = await loadScript();
    loaded = script.default;
    return script;
  };
  const Lazy = lazy(load);
  const Screen = () => {
    // Kept for the life of the screen: another component would lose its state.
    const [Component] = useState<ComponentType>(() => loaded ?? Lazy);
    return createElement(Component);
  };
  return { load, Screen };
}
