/** Page with three tabs: homework, grading, and the user's own questions. */
import { data } from 'react-router';
import { countReportsToGrade, listHomeworkToGrade, listReportsToGrade } from '#server/grading-desk/list.contract.ts';
import { listHomework } from '#server/homework/contract.ts';
import { isHeadOrPrefetchRequest } from '#server/platform/calls/rules.ts';
import { listQuestions } from '#server/questions/contract.ts';
import { api } from '../api/client.server.ts';
import { HomeworkGroups, ReportList } from '../grading/report-list.tsx';
import { gradingList } from '../grading/screens.ts';
import { redirectToGrading } from '../grading/start.server.ts';
import { QuestionList } from '../questions/question-list.tsx';
import { questionList, questionListAllSelected } from '../questions/screens.ts';
import { suggestedTags } from '../questions/tag-names.server.ts';
import { homeworkTabCookie } from '../shell/cookies.server.ts';
import { countsContext } from '../shell/counts.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/manage';
import { HomeworkList } from './homework-list.tsx';
import { loadHomeworkSuggestions } from './names.server.ts';
import { type HomeworkTab, homeworkList, homeworkManage } from './screens.ts';

const tabNames: Record<HomeworkTab, string> = { main: '作业管理', approve: '作业批改', ques: '我的题目' };

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(tabNames[loaderData?.shown.tab ?? 'main']);

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { identity, permissions } = signedInPerson(context);
  const client = context.get(api);
  const may = { correct: permissions.includes('correct'), dispatch: permissions.includes('dispatch') };
  const offered: HomeworkTab[] = [
    'main',
    ...(may.correct ? ['approve' as const] : []),
    ...(may.dispatch ? ['ques' as const] : []),
  ];

  const named = homeworkManage.at(url).tab;
  // The remembered tab is used only without an open dialog: under a dialog the address alone decides.
  const mayRemember = !named && homeworkManage.isAlone(url);
  const remembered: unknown = mayRemember ? await homeworkTabCookie.parse(request.headers.get('Cookie')) : undefined;
  const tab = named ?? offered.find((name) => name === remembered) ?? 'main';

  // Uses the count that the navigation of this page has loaded already.
  const waiting = async () =>
    (await context.get(countsContext)?.())?.corrections ?? (await client.send(countReportsToGrade)).quantity;
  const list = async () => {
    if (tab === 'approve') {
      const { filter, place } = gradingList.at(url);
      // A search for one student lists single reports, because a row per homework would include all students.
      const isRows = place.view === 'rows' || filter.nickname !== undefined;
      const [listed, names] = await Promise.all([
        isRows
          ? client.send(listReportsToGrade, { filter }).then((reports) => ({ reports, groups: undefined }))
          : client.send(listHomeworkToGrade, { filter }).then((groups) => ({ reports: undefined, groups })),
        loadHomeworkSuggestions(context, client),
      ]);
      return { tab, names, ...listed };
    }
    if (tab === 'ques') {
      const { filter } = questionList.at(url);
      const [questions, tags] = await Promise.all([
        client.send(listQuestions, { filter: { ...filter, with_preview: 1 } }),
        suggestedTags(client),
      ]);
      return { tab, questions, tags, selectAll: questionListAllSelected.at(url).place.select === 'all' };
    }
    const [homework, names] = await Promise.all([
      client.send(listHomework, { filter: homeworkList.at(url).filter }),
      loadHomeworkSuggestions(context, client),
    ]);
    return { tab, homework, names };
  };
  const [shown, quantity] = await Promise.all([list(), may.correct ? waiting() : undefined]);
  const view = { shown, quantity, identity, may, now: client.now() };
  const remembers = named && !isHeadOrPrefetchRequest(request);
  return data(view, remembers ? { headers: { 'Set-Cookie': await homeworkTabCookie.serialize(named) } } : undefined);
}

export const action = (sent: Route.ActionArgs) => redirectToGrading(sent, homeworkManage.here(sent.url));

export default function HomeworkManage({ loaderData }: Route.ComponentProps) {
  const { shown, quantity, identity, may, now } = loaderData;
  return (
    <Screen title="作业管理">
      <Tabs
        label="作业"
        current={shown.tab}
        tabs={[
          { key: 'main', label: tabNames.main, href: homeworkManage.href({ tab: 'main' }) },
          ...(may.correct
            ? [
                {
                  key: 'approve',
                  label: tabNames.approve,
                  href: homeworkManage.href({ tab: 'approve' }),
                  count: quantity,
                },
              ]
            : []),
          ...(may.dispatch ? [{ key: 'ques', label: tabNames.ques, href: homeworkManage.href({ tab: 'ques' }) }] : []),
        ]}
      />
      {shown.tab === 'main' && <HomeworkList {...shown} identity={identity} may={may} now={now} />}
      {shown.tab === 'approve' &&
        (shown.groups ? (
          <HomeworkGroups groups={shown.groups} names={shown.names} now={now} />
        ) : (
          <ReportList reports={shown.reports} names={shown.names} />
        ))}
      {shown.tab === 'ques' && <QuestionList {...shown} />}
    </Screen>
  );
}
