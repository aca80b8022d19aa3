import type { ActionFunctionArgs, RouterContextProvider } from 'react-router';

/** What a request carries along: its person, its session, its client of the API. */
export type RequestContext = Readonly<RouterContextProvider>;

/** A posted form, as what an action leaves to others is given it. */
export type FormRequest = Pick<ActionFunctionArgs, 'request' | 'context' | 'url'>;
