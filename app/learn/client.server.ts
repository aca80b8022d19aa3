/**
 * Client of the public calls. It uses them as any other learners' application would: paths below /api/app, the token of
 * a learner, JSON. api-answers.ts validates the responses.
 */
import { createContext, data, redirect } from 'react-router';
import * as v from 'valibot';
import { isHeadOrPrefetchRequest } from '#server/platform/calls/rules.ts';
import { fetchFile } from '../api/file.server.ts';
import {
  answerOrErrorPage,
  methodNotAllowed,
  type Outcome,
  outcomeOfResponse,
  unreachableOutcome,
} from '../api/outcome.server.ts';
import { apiFetch } from '../api/process.server.ts';
import { expiredMessage } from '../api/signed-out.server.ts';
import { returnAddress } from '../lib/safe-redirect.ts';
import { MustChangePassword, Picture, Ways } from './api-answers.ts';
import { learnHome, learnPassword, learnSignIn } from './screens.ts';

type Schema = v.GenericSchema<unknown, unknown>;

/** Base address of the public calls. `apiFetch` replaces its host. */
const calls = 'http://api/api/app/';

interface Caller {
  token: string;
  requestId: string;
}

export interface LearnerClient {
  /** For loaders: reads from a call. A refusal becomes the error page. */
  get<S extends Schema>(path: string, answer: S): Promise<v.InferOutput<S>>;
  /** For actions: posts to a call and returns its outcome, so that the form can be shown again with its values. */
  post<S extends Schema>(path: string, body: object, answer: S): Promise<Outcome<v.InferOutput<S>>>;
  /** Uploads a picture. Returns the address that an answer refers to. */
  picture(file: File): Promise<Outcome<v.InferOutput<typeof Picture>>>;
  /** Streams a picture or attachment. `path` is relative to `files/`. */
  file(path: string, from: Request): Promise<Response>;
}

/** Client of the signed-in learner. The layout's middleware sets it. */
export const learnerContext = createContext<LearnerClient>();

/** Token of the learners' page as an application. It is used to sign learners in. */
export const applicationContext = createContext<Caller>();

/** Validates a response. A response that does not match its schema counts as an error. */
function read<S extends Schema>(outcome: Outcome<unknown>, answer: S): Outcome<v.InferOutput<S>> {
  if (!outcome.ok) return outcome;
  const known = v.safeParse(answer, outcome.data);
  return known.success ? { ...outcome, data: known.output } : unreachableOutcome;
}

/** Sends a call with the token of a learner or of the application. */
export const callLearnerApi = async <S extends Schema>(
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

/** `application`: token that asks how learners can sign in again. */
export function learnerClient(caller: Caller & { application: Caller; request: Request; url: URL }): LearnerClient {
  const { token, requestId, application, request, url } = caller;
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': requestId };
  /**
   * After a 401, redirects to sign-in, which returns to this address. If a form was posted, the error page keeps it.
   */
  const checked = async <Answer>(outcome: Outcome<Answer>): Promise<Outcome<Answer>> => {
    if (!outcome.ok && request.method === 'GET' && v.is(MustChangePassword, outcome.data))
      throw redirect(learnPassword.href({ redirectTo: learnHome.isAlone(url) ? undefined : currentAddress(url) }));
    if (outcome.ok || outcome.status !== 401) return outcome;
    if (request.method === 'GET') throw redirectToLearnSignIn(url);
    const ways = await callLearnerApi(application, { path: 'session/ways' }, Ways);
    throw data({ msg: expiredMessage, ways: ways.ok ? ways.data : undefined }, { status: 401 });
  };
  return {
    async get(path, answer) {
      const isLook = isHeadOrPrefetchRequest(request);
      const outcome = await checked(await callLearnerApi(caller, { path, isLook }, answer));
      if (!outcome.ok && outcome.status === 405) throw methodNotAllowed();
      return answerOrErrorPage(outcome).data;
    },
    post: async (path, body, answer) => checked(await callLearnerApi(caller, { path, body }, answer)),
    async picture(file) {
      const body = new FormData();
      body.set('file', file);
      const sent = requestOf(caller, 'public/file', body);
      return checked(read(await outcomeOfResponse<unknown>(apiFetch(sent)), Picture));
    },
    async file(path, from) {
      const response = await fetchFile(`${calls}files/${path}`, headers, from);
      if (response.status === 401) throw redirectToLearnSignIn(url);
      return response;
    },
  };
}

export const redirectToLearnSignIn = (url: URL) =>
  redirect(learnSignIn.href({ redirectTo: learnHome.isAlone(url) ? undefined : currentAddress(url) }));

const currentAddress = (url: URL) => returnAddress(url.pathname + url.search);
