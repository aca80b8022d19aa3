/** Refuses (409) a form that was opened by another user than the signed-in one. The error page keeps the typed text. */
import { createContext, data } from 'react-router';
import { type FormOwner, othersFormMessage, ownerInHeaders, ownerOf } from '../lib/form-owner.ts';
import type { RequestContext } from './form-request.ts';
import { postedContext } from './posted-form.server.ts';

/** The signed-in user. Null when signed out. */
export const signedInOwner = createContext<FormOwner | null>(null);

/** Keeps the fields of a form with files for the error page. The middleware does so for other forms. */
export function keepPostedFields(context: RequestContext, fields: [string, string][]): void {
  context.set(postedContext, fields);
  requireSameUser(context);
}

/**
 * Throws the error page if the posted form belongs to another user. Call it where an action reads its form: an earlier
 * error page would not have the fields.
 */
export function requireSameUser(context: RequestContext): void {
  const person = context.get(signedInOwner);
  const owner = ownerOf(context.get(postedContext) ?? []);
  if (person && owner && owner.id !== person.id) {
    throw data({ msg: othersFormMessage(owner, person), owner: owner.name, person: person.name }, { status: 409 });
  }
}

/** Checks a request of a script like `requireSameUser`. Refuses with JSON. */
export function requireOwnRequest(context: RequestContext, { headers }: Request): void {
  const person = context.get(signedInOwner);
  const owner = ownerInHeaders(headers);
  if (person && owner && owner.id !== person.id) {
    throw Response.json(
      { msg: othersFormMessage(owner, person), owner: owner.name, person: person.name },
      { status: 409 },
    );
  }
}
