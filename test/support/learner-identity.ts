/** Signs learners in through an identity provider by API calls alone, without a browser. */
import type { ProviderKind } from '#server/identity/rules.ts';
import { newBrowser, site } from './identity.ts';
import type { LearnerClient } from './learner.ts';
import { follow, type OidcServer } from './openid-servers.ts';
import type { Answer, TestSchool } from './school.ts';

export const device = 'device-of-the-learner-1';

export const beginAsLearner = (
  application: LearnerClient,
  provider: ProviderKind,
  browser: string,
  more: object = {},
): Promise<Answer> =>
  application.post('session/identity', { provider, browser, return_to: '/learn/exams', user_agent: 'Chrome', ...more });

export const completeAsLearner = (
  application: LearnerClient,
  provider: ProviderKind,
  browser: string,
  sent: string,
  more: object = {},
): Promise<Answer> => application.post('session/identity/complete', { provider, browser, sent, ...more });

/** Begins a sign-in and follows the provider; returns the query with which it leads back. */
export async function returnedQuery(
  application: LearnerClient,
  { oidc, login, browser, more }: { oidc: OidcServer; login: string; browser: string; more?: object },
): Promise<string> {
  oidc.visitor = login;
  const begun = await beginAsLearner(application, 'oidc', browser, more);
  if (begun.status !== 200) throw new Error(`not begun: ${begun.status} ${begun.body.msg}`);
  return (await follow(begun.body.data.address, site)).search.slice(1);
}

/** Signs in with the provider as `login`. */
export async function signInAsLearner(
  application: LearnerClient,
  oidc: OidcServer,
  login: string,
  { browser = newBrowser(), more = {} }: { browser?: string; more?: object } = {},
): Promise<Answer> {
  const sent = await returnedQuery(application, { oidc, login, browser, more });
  return completeAsLearner(application, 'oidc', browser, sent, more);
}

/** Gives a student a number; other students have none. */
export async function numberStudent(school: TestSchool, id: number, number: string): Promise<void> {
  const { db } = school.database;
  await db.updateTable('student').set({ number: '' }).where('number', '=', number).execute();
  await db.updateTable('student').set({ number, disabled_at: null }).where('id', '=', id).execute();
}
