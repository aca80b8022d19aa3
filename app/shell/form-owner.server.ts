/** Refuses a form that was opened for somebody else than who is signed in now (409); what was typed is kept. */
import { createContext, data } from 'react-router';
import { type FormOwner, othersFormMessage, ownerInHeaders, ownerOf } from '../lib/form-owner.ts';
import type { RequestContext } from './form-request.ts';
import { postedContext } from './posted.server.ts';

/** Who is signed in; null where nobody is. */
export const sender = createContext<FormOwner | null>(null);

/** Keeps the fields of a form with files for the error page; those of other forms are kept as they come. */
export function keepPosted(context: RequestContext, fields: [string, string][]): void {
  context.set(postedContext, fields);
  mustBeOwn(context);
}

/** Called where an action reads its form: what is thrown before it, the error page shows without the fields. */
export function mustBeOwn(context: RequestContext): void {
  const person = context.get(sender);
  const owner = ownerOf(context.get(postedContext) ?? []);
  if (person && owner && owner.id !== person.id) {
    throw data({ msg: othersFormMessage(owner, person), owner: owner.name }, { status: 409 });
  }
}

/** The same of a request that a script sends, which is answered as JSON. */
export function mustBeOwnRequest(context: RequestContext, { headers }: Request): void {
  const person = context.get(sender);
  const owner = ownerInHeaders(headers);
  if (person && owner && owner.id !== person.id) {
    throw Response.json({ msg: othersFormMessage(owner, person), owner: owner.name }, { status: 409 });
  }
}
