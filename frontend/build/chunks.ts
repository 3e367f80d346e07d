import { fileURLToPath } from 'node:url';

/**
 * Which modules share a chunk. By default the bundler writes a file per set of pages that share a module: 40 requests for a form.
 * `main`: modules of every page. `fields`: modules that the sign-in pages share with the list of connections. `sign-in`: what only
 * the sign-in pages and other forms need. `forms`: the form library. `frame`: the list of connections, the frame around it and what
 * both need. `dialogs`, `selects`: when one is opened or shown. `toasts`: modules of the first toast. `parts`: modules of other pages.
 * Other modules are in the chunk of their page.
 */

const mantine = (...components: string[]): string => `@mantine/core/esm/components/(?:${components.join('|')})/`;
const either = (...patterns: string[]): RegExp => new RegExp(patterns.join('|'));

/** Packages are listed, because a module that imports from the index of a package seems to need all of it. */
const PACKAGES = [
  {
    name: 'fields',
    test: either(
      mantine('Input', 'InputBase', 'InputsGroupFieldset', 'TextInput', 'CloseButton', 'Loader'),
      '@mantine/hooks/esm/(?:use-uncontrolled|use-merged-ref|use-force-update)/',
    ),
  },
  { name: 'sign-in', test: either(mantine('PasswordInput')) },
  { name: 'forms', test: either('@mantine/form/', '/klona/', '/fast-deep-equal/') },
  {
    name: 'dialogs',
    test: either(
      mantine('ModalBase', 'Modal', 'Drawer', 'NativeScrollArea'),
      'node_modules/(?:react-remove-scroll|react-style-singleton|use-sidecar|use-callback-ref|tslib|get-nonce|aria-hidden)',
    ),
  },
  { name: 'selects', test: either(mantine('Select', 'Combobox', 'ScrollArea')) },
  {
    name: 'frame',
    test: either(
      '@floating-ui/',
      mantine('Popover', 'Menu', 'Tooltip', 'Portal', 'FocusTrap', 'Overlay', 'Paper', 'Floating'),
      mantine('Checkbox', 'Switch', 'InlineInput', 'Kbd', 'Group'),
      '@mantine/hooks/esm/(?!use-drag|use-long-press|use-shallow-effect|use-mutation-observer|use-debounced-callback)',
    ),
  },
];

interface Graph {
  getModuleInfo: (id: string) => { importedIds: readonly string[]; code: string | null } | null;
}

const inSource = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
const isOfPackage = (id: string): boolean => id.includes('/node_modules/');

/** The pages that are loaded first. What only other pages need would delay them. */
const SIGN_IN = ['LoginPage', 'SignUpPage', 'ForgotPasswordPage'].map((page) => inSource(`features/sign-in/${page}.tsx`));
const LIST = [inSource('app/layout/DefaultLayout.tsx'), inSource('features/connections/ConnectionsPage.tsx')];

/** Our modules that the given ones load statically. */
function closureOf(roots: string[], graph: Graph): Set<string> {
  const found = new Set<string>();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id) || isOfPackage(id)) continue;
    found.add(id);
    open.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** The icons that the modules name. Their imports say only that they need the index of the package. */
function iconsOf(ids: Set<string>, graph: Graph): Set<string> {
  return new Set([...ids].flatMap((id) => graph.getModuleInfo(id)?.code?.match(/\bIcon[A-Z]\w+/g) ?? []));
}

const withIcons = (roots: string[], graph: Graph) => {
  const modules = closureOf(roots, graph);
  return { modules, icons: iconsOf(modules, graph) };
};

let closures: { signIn: ReturnType<typeof withIcons>; list: ReturnType<typeof withIcons> } | null = null;

function placeOf(id: string, graph: Graph): string | null {
  if (/src\/components\/feedback\/(?:Confirm|Delete)Dialog/.test(id)) return 'dialogs';
  if (id.endsWith('/connections/list/TagFilter.tsx')) return 'selects';
  closures ??= { signIn: withIcons(SIGN_IN, graph), list: withIcons(LIST, graph) };
  const { signIn, list } = closures;
  const [, icon] = /@tabler\/icons-react\/.*\/(Icon\w+)\./.exec(id) ?? [];
  if (icon !== undefined) return signIn.icons.has(icon) ? 'fields' : list.icons.has(icon) ? 'frame' : null;
  if (isOfPackage(id)) return PACKAGES.find(({ test }) => test.test(id))?.name ?? null;
  const isOfList = list.modules.has(id);
  // Functions without a screen are small, and dialogs of other pages need them too.
  if (signIn.modules.has(id)) return isOfList || id.includes('/src/lib/') ? 'fields' : 'sign-in';
  return isOfList ? 'frame' : null;
}

/** A chunk also takes what its modules import, unless an earlier one has it. */
const PLACES = ['fields', 'frame', 'sign-in', 'forms', 'selects', 'dialogs'];

/**
 * The places that also take modules of one page: the list of connections, its layout and its tag filter. As files of their own they
 * would be three more requests of the page that is loaded first.
 */
const WITH_UNSHARED = ['frame', 'selects'];

export const chunks = {
  groups: [
    { name: 'main', tags: ['$initial' as const], priority: 4 },
    { name: 'identity', test: /@firebase\/|\/firebase\/|src\/session\/identity\.ts/, priority: 3 },
    ...PLACES.map((place, index) => ({
      name: (id: string, graph: Graph) => (placeOf(id, graph) === place ? place : null),
      minShareCount: WITH_UNSHARED.includes(place) ? 1 : 2,
      priority: 3 - (index + 1) / 10,
    })),
    {
      name: 'toasts',
      test: /@mantine\/(?:notifications|store)|react-transition-group|components\/Notification\/|feedback\/show-toast/,
      priority: 2,
    },
    { name: 'parts', minShareCount: 2, priority: 1 },
  ],
};
