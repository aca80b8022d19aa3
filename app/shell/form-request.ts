import type { ActionFunctionArgs, RouterContextProvider } from 'react-router';

/** Context of a request: user, session, API client. */
export type RequestContext = Readonly<RouterContextProvider>;

/** The part of an action's arguments that shared functions need. */
export type FormRequest = Pick<ActionFunctionArgs, 'request' | 'context' | 'url'>;
