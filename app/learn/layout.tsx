/** Frame of the learners' pages. The pages exist only if an application token is configured or the feature is on. */
import { createContext, use } from 'react';
import { data, isRouteErrorResponse, Outlet, useRouteLoaderData } from 'react-router';
import { type Branding, brandingPath } from '#server/school/branding.contract.ts';
import { askPath } from '../api/client.server.ts';
import { unreachableMessage } from '../api/outcome.server.ts';
import { learnPageTokenOf } from '../api/process.server.ts';
import { notFoundMessage } from '../lib/address.ts';
import { ErrorPage, errorTitle, SignInAgain } from '../shell/error-page.tsx';
import { signedInOwner } from '../shell/form-owner.server.ts';
import { getRequestId } from '../shell/protection.server.ts';
import { SchoolLogo } from '../shell/school-logo.tsx';
import { getSession } from '../shell/session.server.ts';
import type { SignInFormProps } from '../shell/sign-in-form.tsx';
import { titleMeta } from '../shell/title.ts';
import { Form, FormOwnerContext } from '../ui/form.tsx';
import { Island } from '../ui/island.tsx';
import { useRootData } from '../ui/root-data.ts';
import type { Route } from './+types/layout';
import { Me, type Ways } from './api-answers.ts';
import {
  applicationContext,
  callLearnerApi,
  learnerClient,
  learnerContext,
  redirectToLearnSignIn,
} from './client.server.ts';
import { IdentityButtons } from './identity-buttons.tsx';
import styles from './learn.learn.module.css';
import {
  learnExams,
  learnHome,
  learnHomeworkList,
  learnLeave,
  learnLessons,
  learnNotices,
  learnPassword,
  learnSignIn,
  learnSignOut,
  signInWays,
} from './screens.ts';
import { NumberForm } from './sign-in-forms.tsx';

export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context, url }, next) => {
    const service = await learnPageTokenOf().catch(() => null);
    if (service === null) throw data({ msg: unreachableMessage }, { status: 503 });
    if (service === undefined) throw data({ msg: notFoundMessage }, { status: 404 });
    const requestId = getRequestId(context);
    const application = { token: service, requestId };
    context.set(applicationContext, application);
    if (learnSignIn.covers(url.pathname)) return next();
    const token = getSession(context).get('learner');
    if (!token && request.method === 'GET') throw redirectToLearnSignIn(url);
    context.set(learnerContext, learnerClient({ token: token ?? '', requestId, application, request, url }));
    if (token && request.method !== 'GET' && !learnSignOut.covers(url.pathname)) {
      const known = await callLearnerApi({ token, requestId }, { path: 'me' }, Me);
      if (known.ok) context.set(signedInOwner, { id: known.data.uid, name: known.data.nickname });
    }
    return next();
  },
];

export async function loader({ context, url }: Route.LoaderArgs) {
  const [me, face] = await Promise.all([readMe(context, url), askPath<Branding>(brandingPath)]);
  return { me, face: face.ok ? face.data : undefined };
}

async function readMe(context: Route.LoaderArgs['context'], url: URL): Promise<Me | undefined> {
  if (learnSignIn.covers(url.pathname) || learnSignOut.covers(url.pathname)) return undefined;
  if (!learnPassword.covers(url.pathname)) return context.get(learnerContext).get('me', Me);
  // A learner with a first password can read nothing else until it is changed.
  const caller = { token: getSession(context).get('learner') ?? '', requestId: getRequestId(context) };
  const known = await callLearnerApi(caller, { path: 'me' }, Me);
  return known.ok ? known.data : undefined;
}

/** Names the learner in the storage of this browser. */
export const learnerKey = ({ uid }: Pick<Me, 'uid'>): string => `learner ${uid}`;

export const useLearner = () => useRouteLoaderData<typeof loader>('LearnerFrame')?.me;

export const meta: Route.MetaFunction = ({ error }) => (error ? errorTitle(error) : titleMeta('学习'));

export default function LearnerLayout() {
  return (
    <LearnerFrame>
      <Outlet />
    </LearnerFrame>
  );
}

const places = [
  [learnHomeworkList, '作业'],
  [learnExams, '考试'],
  [learnLessons, '课表'],
  [learnLeave, '请假'],
  [learnNotices, '公告'],
] as const;

function LearnerFrame({ children }: { children: React.ReactNode }) {
  const root = useRootData();
  const shown = useRouteLoaderData<typeof loader>('LearnerFrame');
  const here = root?.here ?? learnHome.href();
  const owner = shown?.me && { id: shown.me.uid, name: shown.me.nickname };
  return (
    <FormOwnerContext value={owner}>
      <div className={styles.frame}>
        <header className={styles.header}>
          <a className={styles.brand} href={learnHome.href()}>
            <SchoolLogo face={shown?.face} unnamed="学习" />
          </a>
          {shown?.me && (
            <>
              <a className={styles.name} href={learnPassword.href()} title="登录密码">
                {shown.me.nickname}
              </a>
              <Form action={learnSignOut.href()}>
                <Island
                  name="sign-out.island"
                  props={{ person: learnerKey(shown.me) }}
                  fallback={
                    <button type="submit" className={styles.quiet}>
                      退出
                    </button>
                  }
                />
              </Form>
            </>
          )}
          {shown?.me && (
            <nav className={styles.places} aria-label="主导航">
              {places.map(([screen, label]) => (
                <a key={label} href={screen.href()} aria-current={screen.covers(here) ? 'page' : undefined}>
                  {label}
                </a>
              ))}
            </nav>
          )}
        </header>
        {root?.flash && (
          <p
            className={styles.flash}
            data-flash
            data-kind={root.flash.kind}
            role={root.flash.kind === 'success' ? 'status' : 'alert'}
          >
            {root.flash.msg}
          </p>
        )}
        <div className={styles.page} id="screen">
          {children}
        </div>
      </div>
    </FormOwnerContext>
  );
}

/** Sign-in form on an error page. It keeps the form that was posted, and posts that again after sign-in. */
function SignInToGoOn({ resume }: SignInFormProps) {
  const ways = use(WaysInContext);
  return (
    <>
      <IdentityButtons providers={ways?.providers ?? []} resume={resume} />
      <NumberForm resume={resume} ways={ways?.code === 0 ? ['password'] : signInWays} />
    </>
  );
}

/** Ways to sign in, if the error page knows them. */
const WaysInContext = createContext<Ways | undefined>(undefined);

const waysOf = (error: unknown): Ways | undefined =>
  isRouteErrorResponse(error) ? (error.data as { ways?: Ways } | null)?.ways : undefined;

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <LearnerFrame>
      <WaysInContext value={waysOf(error)}>
        <SignInAgain value={SignInToGoOn}>
          <ErrorPage error={error} start={learnHome.href()} />
        </SignInAgain>
      </WaysInContext>
    </LearnerFrame>
  );
}
