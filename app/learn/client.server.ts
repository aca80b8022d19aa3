/**
 * The public calls, as any application of learners sends them: a path below /api/app, a learner's token, JSON. What comes
 * back is read by the schemas of answers.ts.
 */
import { createContext, data, redirect } from 'react-router';
import * as v from 'valibot';
import { isLookOf } from '#server/platform/calls/rules.ts';
import { fetchFile } from '../api/file.server.ts';
import { away, type Outcome, onlyLook, orErrorPage, outcomeOfResponse } from '../api/outcome.server.ts';
import { apiFetch } from '../api/process.server.ts';
import { expiredMessage } from '../api/signed-out.server.ts';
import { wayBack } from '../lib/safe-redirect.ts';
import { Picture } from './answers.ts';
import { learnHome, learnSignIn } from './screens.ts';

type Schema = v.GenericSchema<unknown, unknown>;

/** Below it the public calls stand; whose school it is, `apiFetch` knows. */
const calls = 'http://api/api/app/';

interface Caller {
  token: string;
  requestId: string;
}

export interface LearnerClient {
  /** A refusal becomes the error page. For loaders. */
  get<S extends Schema>(path: string, answer: S): Promise<v.InferOutput<S>>;
  /** The outcome is given back, so that a form can be shown again with what was typed. For actions. */
  post<S extends Schema>(path: string, body: object, answer: S): Promise<Outcome<v.InferOutput<S>>>;
  /** Takes a picture in; answers its address, to be named in an answer. */
  picture(file: File): Promise<Outcome<v.InferOutput<typeof Picture>>>;
  /** The bytes of a picture or an attachment; `path` is below `files/`. */
  file(path: string, from: Request): Promise<Response>;
}

/** The signed-in learner's client; set by the layout's middleware. */
export const learner = createContext<LearnerClient>();

/** The token of the application itself, which signs learners in. */
export const application = createContext<Caller>();

/** Of an answer that is not as it is described there is no use. */
function read<S extends Schema>(outcome: Outcome<unknown>, answer: S): Outcome<v.InferOutput<S>> {
  if (!outcome.ok) return outcome;
  const known = v.safeParse(answer, outcome.data);
  return known.success ? { ...outcome, data: known.output } : away;
}

/** A call by any token: of a learner, or of the application itself. */
export const callApp = async <S extends Schema>(
  { token, requestId }: Caller,
  { path, body, isLook }: { path: string; body?: object; isLook?: boolean },
  answer: S,
): Promise<Outcome<v.InferOutput<S>>> => {
  const sent = requestOf({ token, requestId }, path, body);
  if (isLook) sent.headers.set('sec-purpose', 'prefetch');
  return read(await outcomeOfResponse<unknown>(apiFetch(sent)), answer);
};

function requestOf({ token, requestId }: Caller, path: string, body?: object | FormData): Request {
  const headers = new Headers({ authorization: `Bearer ${token}`, 'x-request-id': requestId });
  if (!body) return new Request(calls + path, { headers });
  if (body instanceof FormData) return new Request(calls + path, { method: 'POST', headers, body });
  headers.set('content-type', 'application/json');
  return new Request(calls + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

export function learnerClient(caller: Caller & { request: Request; url: URL }): LearnerClient {
  const { token, requestId, request, url } = caller;
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': requestId };
  /** Whoever is signed out signs in again and comes back here; what they sent is kept by the error page. */
  const checked = <Answer>(outcome: Outcome<Answer>): Outcome<Answer> => {
    if (outcome.ok || outcome.status !== 401) return outcome;
    throw signedOut(request, url);
  };
  return {
    async get(path, answer) {
      const outcome = checked(await callApp(caller, { path, isLook: isLookOf(request) }, answer));
      if (!outcome.ok && outcome.status === 405) throw onlyLook();
      return orErrorPage(outcome).data;
    },
    post: async (path, body, answer) => checked(await callApp(caller, { path, body }, answer)),
    async picture(file) {
      const body = new FormData();
      body.set('file', file);
      const sent = requestOf(caller, 'public/file', body);
      return checked(read(await outcomeOfResponse<unknown>(apiFetch(sent)), Picture));
    },
    async file(path, from) {
      const response = await fetchFile(`${calls}files/${path}`, headers, from);
      if (response.status === 401) throw signedOut(request, url);
      return response;
    },
  };
}

export function signedOut(request: Request, url: URL) {
  if (request.method !== 'GET') return data({ msg: expiredMessage }, { status: 401 });
  const here = url.pathname + url.search;
  return redirect(learnSignIn.href({ redirectTo: learnHome.isAlone(url) ? undefined : wayBack(here) }));
}
