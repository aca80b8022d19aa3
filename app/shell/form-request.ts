import type { ActionFunctionArgs, RouterContextProvider } from 'react-router';

export type RequestContext = Readonly<RouterContextProvider>;

/** The part of an action's arguments that shared functions need. */
export type FormRequest = Pick<ActionFunctionArgs, 'request' | 'context' | 'url'>;
