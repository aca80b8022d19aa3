import { redirect } from 'react-router';
import { logoutPath } from '#server/auth/contract.ts';
import { askPath } from '../api.server.ts';
import { getSession } from '../shell/session.server.ts';
import type { Route } from './+types/logout';

/** Ends the token itself, not only this browser's copy of it. */
export async function action({ context }: Route.ActionArgs) {
  const session = getSession(context);
  const token = session.get('token');
  if (token) await askPath(logoutPath, { method: 'POST', body: {}, headers: { authorization: `Bearer ${token}` } });
  session.unset('token');
  session.unset('identity');
  throw redirect('/login');
}

export function loader() {
  throw redirect('/');
}
