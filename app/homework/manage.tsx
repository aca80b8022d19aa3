/** HomeworkManage (document 1, section 2): homework, correction, my questions. */
import { data, redirect, useOutlet } from 'react-router';
import { CorrectionFilter, correctionQuantity, listCorrections } from '#server/correction/contract.ts';
import { HomeworkFilter, listHomework, startCorrection } from '#server/homework/contract.ts';
import { listQuestions, QuestionFilter } from '#server/questions/contract.ts';
import { api } from '../api.server.ts';
import { CorrectionList } from '../correction/correction-list.tsx';
import { redirectToLastPage } from '../lib/last-page.server.ts';
import { readSearch } from '../lib/search.ts';
import { QuestionList } from '../questions/question-list.tsx';
import { homeworkTabCookie, isPrefetch } from '../shell/cookies.server.ts';
import { getSession } from '../shell/session.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/manage';
import { HomeworkList } from './homework-list.tsx';
import styles from './manage.module.css';
import { isTabName, type TabName, tabSearch } from './tab.ts';

export const meta: Route.MetaFunction = () => [{ title: '作业管理 · 教学后台' }];

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const { identity, permissions } = signedInPerson(context);
  const client = context.get(api);
  const may = { correct: permissions.includes('correct'), dispatch: permissions.includes('dispatch') };
  const offered: TabName[] = [
    'main',
    ...(may.correct ? ['approve' as const] : []),
    ...(may.dispatch ? ['ques' as const] : []),
  ];

  const named = url.searchParams.get('tab');
  // The dialogs are the homework list's: with one open it is behind it.
  const dialog = 'id' in params;
  const remembered: unknown =
    named || dialog ? undefined : await homeworkTabCookie.parse(request.headers.get('Cookie'));
  const tab = isTabName(named) ? named : (offered.find((name) => name === remembered) ?? 'main');

  const waiting = may.correct ? client.send(correctionQuantity).then(({ quantity }) => quantity) : undefined;
  const list = async () => {
    if (tab === 'approve') {
      const filter = readSearch(CorrectionFilter, url.searchParams);
      return { tab, filter, corrections: await client.send(listCorrections, { body: filter }) };
    }
    if (tab === 'ques') {
      const filter = readSearch(QuestionFilter, url.searchParams);
      const questions = await client.send(listQuestions, { query: { ...filter, with_preview: 1 } });
      redirectToLastPage(questions, (page) => `/homework${tabSearch('ques', filter, { page })}`);
      return { tab, filter, questions, selectAll: url.searchParams.get('select') === 'all' };
    }
    const filter = readSearch(HomeworkFilter, url.searchParams);
    return { tab, filter, homework: await client.send(listHomework, { query: filter }) };
  };
  const [shown, quantity] = await Promise.all([list(), waiting]);
  const view = { ...shown, quantity, identity, may, now: Math.floor(Date.now() / 1000) };
  const remembers = isTabName(named) && !isPrefetch(request);
  return data(view, remembers ? { headers: { 'Set-Cookie': await homeworkTabCookie.serialize(named) } } : undefined);
}

/** 去批改 and 批改: the report to start with, or the sentence that says why there is none. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const [hw_id, uid] = String(form.get('start') ?? '').split('-');
  const outcome = await context.get(api).ask(startCorrection, { body: { hw_id, uid } });
  if (outcome.ok && outcome.data.report_id !== null) {
    throw redirect(`/homework/approve?report_id=${outcome.data.report_id}&class_id=0`);
  }
  const msg = outcome.ok ? '作业不存在' : outcome.msg;
  getSession(context).flash('flash', { kind: 'warning', msg });
  throw redirect(url.pathname + url.search);
}

export default function HomeworkManage({ loaderData }: Route.ComponentProps) {
  const { tab, quantity, may } = loaderData;
  const dialog = useOutlet();
  return (
    <>
      {/* With a dialog open, the list behind it is out of reach. */}
      <main inert={dialog !== null} className={styles.page}>
        <h1 className="visually-hidden">作业管理</h1>
        <Tabs
          label="作业"
          current={tab}
          tabs={[
            { key: 'main', label: '作业管理', href: '/homework?tab=main' },
            ...(may.correct
              ? [{ key: 'approve', label: '作业批改', href: '/homework?tab=approve', count: quantity }]
              : []),
            ...(may.dispatch ? [{ key: 'ques', label: '我的题目', href: '/homework?tab=ques' }] : []),
          ]}
        />
        {loaderData.tab === 'main' && <HomeworkList {...loaderData} />}
        {loaderData.tab === 'approve' && <CorrectionList {...loaderData} />}
        {loaderData.tab === 'ques' && <QuestionList {...loaderData} />}
      </main>
      {dialog}
    </>
  );
}
