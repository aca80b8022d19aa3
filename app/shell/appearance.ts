/** Switches between light and dark by a cookie, without script. */
import { redirect } from 'react-router';
import { textOf } from '../lib/form-data.ts';
import { safeRedirect } from '../lib/safe-redirect.ts';
import type { Route } from './+types/appearance';
import { appearanceCookie } from './cookies.server.ts';
import { readButton, readPostedForm } from './form-action.server.ts';
import { home } from './screens.ts';

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [scheme] = readButton(form, 'light', 'dark');
  const back = safeRedirect(textOf(form, 'redirectTo'), home.href());
  return redirect(back, { headers: { 'Set-Cookie': await appearanceCookie.serialize(scheme) } });
}
