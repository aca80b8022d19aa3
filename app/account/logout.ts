import { redirect } from 'react-router';
import { logoutPath, type Me, showMe } from '#server/account/sign-in.contract.ts';
import { askPath } from '../api/client.server.ts';
import { home } from '../shell/screens.ts';
import { getSession } from '../shell/session.server.ts';
import type { Route } from './+types/logout';
import { signIn } from './screens.ts';

/** Ends the token itself, not only this browser's copy of it. */
export async function action({ context }: Route.ActionArgs) {
  const session = getSession(context);
  const token = session.get('token');
  if (token) {
    const headers = { authorization: `Bearer ${token}` };
    const known = await askPath<Me>(showMe.path, { headers });
    if (known.ok) session.flash('signedOut', known.data.id);
    await askPath(logoutPath, { method: 'POST', body: {}, headers });
  }
  session.unset('token');
  session.unset('identity');
  session.set('left', true);
  throw redirect(signIn.href());
}

export function loader() {
  throw redirect(home.href());
}
