/** Entering one of these lists ends whatever flow was under way. */
const ENDS_FLOW = /^\/[^/]+\/(connection|conversion|app)\/?$/;

/** Whether the flow state that is kept across pages is forgotten here. */
export const endsFlow = (pathname: string): boolean => ENDS_FLOW.test(pathname);
