/** Client of the learner API, with a service token or as one learner. */
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import type { Answer, TestSchool } from './school.ts';
import { noon } from './school-records.ts';

export interface LearnerClient {
  token: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: object): Promise<Answer>;
}

/** Creates a client with any token. `path` is below /api/app. */
export function learnerClient(school: TestSchool, token: string): LearnerClient {
  const send = (method: string, path: string, body?: object, more: Record<string, string> = {}) =>
    school.ask(`/api/app/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    token,
    get: (path, headers) => send('GET', path, undefined, headers),
    // Submissions confirm blank answers, unless a test says otherwise.
    post: (path, body = {}) => send('POST', path, path.endsWith('/submission') ? { confirm_blank: 1, ...body } : body),
  };
}

export async function applicationOf(school: TestSchool, schools?: readonly number[]): Promise<LearnerClient> {
  const { token } = await issueServiceToken(school.database.db, {
    name: '学习端',
    now: noon,
    ...(schools && { schools }),
  });
  return learnerClient(school, token);
}

/** Signs a student in and returns the student's client. */
export async function learnerOf(school: TestSchool, uid: number): Promise<LearnerClient> {
  const application = await applicationOf(school);
  const { body } = await application.post('session', { uid });
  return learnerClient(school, body.data.token);
}
