/** Opening one of these lists ends the current flow. */
const ENDS_FLOW = /^\/[^/]+\/(connection|conversion|app)\/?$/;

/** Whether the stored flow state is deleted on this page. */
export const endsFlow = (pathname: string): boolean => ENDS_FLOW.test(pathname);
