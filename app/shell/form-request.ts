import type { ActionFunctionArgs } from 'react-router';

/** A posted form, as what an action leaves to others is given it. */
export type FormRequest = Pick<ActionFunctionArgs, 'request' | 'context' | 'url'>;
