/** Layout of all screens for signed-in users. */
import { Outlet, redirect } from 'react-router';
import type { Me } from '#server/account/sign-in.contract.ts';
import { account, secondFactor, signInCode } from '../account/screens.ts';
import { api, apiClient } from '../api/client.server.ts';
import { recordPerson } from '../api/process.server.ts';
import { expiredMessage, redirectToSignIn } from '../api/signed-out.server.ts';
import { useRootData } from '../ui/root-data.ts';
import type { Route } from './+types/layout';
import { clearCounts, countsContext, loadCounts } from './counts.server.ts';
import { ErrorPage, errorTitle } from './error-page.tsx';
import { requireOwnRequest, signedInOwner } from './form-owner.server.ts';
import { Frame } from './frame.tsx';
import { parentPlace } from './navigation.ts';
import { isFormPost } from './permissions.server.ts';
import { getRequestId } from './protection.server.ts';
import { home } from './screens.ts';
import { getSession } from './session.server.ts';
import { signedInContext } from './signed-in.server.ts';
import { titleMeta } from './title.ts';

/**
 * Sets the API client. A form that is posted after the session expired still reaches its action. The call is refused
 * then, and the error page has the typed values.
 */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context, url }, next) => {
    const session = getSession(context);
    const token = session.get('token') ?? '';
    const identity = session.get('identity') ?? 'teacher';
    const requestId = getRequestId(context);
    const client = apiClient({ token, identity, request, url, requestId });
    const answer = token ? await client.me() : undefined;
    if (answer?.ok) {
      context.set(signedInContext, { person: answer.data });
      context.set(signedInOwner, answer.data);
      recordPerson(answer.data.id, identity);
    } else {
      const expired = !answer || answer.status === 401;
      if (expired && request.method === 'GET') throw redirectToSignIn(request, url);
      context.set(
        signedInContext,
        expired ? { status: 401, msg: expiredMessage } : { status: answer.status, msg: answer.msg },
      );
    }
    context.set(api, client);
    context.set(isFormPost, request.method !== 'GET');
    requireOwnRequest(context, request);
    const first = answer?.ok && request.method === 'GET' ? mandatoryStep(answer.data, url) : undefined;
    if (first) throw redirect(first);
    if (answer?.ok && identity !== 'admin') {
      context.set(countsContext, () => loadCounts(token, client, home.isAlone(url)));
    }
    if (request.method === 'GET') return next();
    const response = await next();
    clearCounts(token);
    return response;
  },
];

/**
 * Address of a step that the user must take first: code of the second factor, new password, or setting up a second
 * factor. Until then the API refuses everything else.
 */
function mandatoryStep(person: Me, url: URL): string | undefined {
  if (person.awaits_code === 1) return signInCode.href({ redirectTo: (url.pathname + url.search) as `/${string}` });
  if (person.must_change_password === 1) {
    const isThere = account.covers(url.pathname) && account.at(url).tab === 'security';
    return isThere ? undefined : account.href({ tab: 'security' });
  }
  return person.must_set_second_factor === 1 && !secondFactor.covers(url.pathname) ? secondFactor.href() : undefined;
}

export const meta: Route.MetaFunction = ({ error }) => (error ? errorTitle(error) : titleMeta());

export default function Layout() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const root = useRootData();
  return (
    <Frame>
      <ErrorPage error={error} list={root?.me && parentPlace(root.me, root.here)} />
    </Frame>
  );
}
