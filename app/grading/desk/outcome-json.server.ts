/** Returns a call's outcome as JSON for hydrated screens. An expired session is a 401 instead of the sign-in page. */
import { signIn } from '../../account/screens.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import { expiredMessage } from '../../api/signed-out.server.ts';

export async function outcomeJson(work: () => Promise<Outcome<unknown>>): Promise<Response> {
  let outcome: Outcome<unknown>;
  try {
    outcome = await work();
  } catch (thrown) {
    if (!isSignInRefusal(thrown)) throw thrown;
    outcome = { ok: false, status: 401, msg: expiredMessage };
  }
  const headers = { 'cache-control': 'no-store' };
  if (outcome.ok) return Response.json({ msg: outcome.msg, data: outcome.data }, { headers });
  const { status, msg, data, errors } = outcome;
  return Response.json({ msg, data, errors }, { status, headers });
}

/** True for a redirect to the sign-in page, and for the 401 that the API client throws after a POST. */
function isSignInRefusal(thrown: unknown): boolean {
  if (thrown instanceof Response) return thrown.status === 302 && isSignIn(thrown.headers.get('location'));
  const init = (thrown as { init?: { status?: number } | null } | null)?.init;
  return init?.status === 401;
}

const isSignIn = (location: string | null) => signIn.covers(location ?? '');
