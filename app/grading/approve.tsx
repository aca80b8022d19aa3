/** Page of the grading desk, for homework and for exams. The grader goes from one report to the next. */
import { useLocation, useOutlet } from 'react-router';
import { examManage } from '../exams/screens.ts';
import { homeworkManage } from '../homework/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Hydrated } from '../ui/hydrated.tsx';
import { useRootData } from '../ui/root-data.ts';
import type { Route } from './+types/approve';
import type { Desk } from './desk/desk.ts';
import { openDesk } from './desk/desk-calls.server.ts';
import { earlyKeysScript } from './desk/early-keys.ts';
import { handlePanelForm } from './desk/grade-form.server.ts';
import { GradingDesk } from './desk/grading-desk.tsx';
import { fieldsOf, type RefusedMark } from './desk/refused-mark.ts';
import { deskOf, examDesk, gradingList, linksOf, typedMarkOf } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: (pathname) =>
    deskOf({ pathname }) === examDesk
      ? [{ label: '考试管理', href: examManage.href() }, { label: '试卷批改' }]
      : [
          { label: '作业管理', href: homeworkManage.href() },
          { label: '作业批改', href: gradingList.href() },
          { label: '批改' },
        ],
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titleMeta(loaderData ? `批改 ${loaderData.desk.report.nickname}` : '批改');

export async function loader({ context, url }: Route.LoaderArgs) {
  const desk = await openDesk({ context, url });
  return { desk, unsaved: unsavedOn(url, desk) };
}

/** Without client JS: restores the score and comment that were typed before a dialog was opened and then cancelled. */
function unsavedOn(url: URL, { address, questions }: Desk): RefusedMark | undefined {
  const { typed_score, typed_comment } = typedMarkOf(url);
  const question = questions.find(({ id }) => id === address.ques_id);
  if (!question || (typed_score === '' && typed_comment === '')) return undefined;
  const { review_attachments } = question;
  const draft = { user_score: typed_score, review_comment: typed_comment, review_attachments, image: [] };
  return { ques_id: question.id, msg: '', typed: fieldsOf(draft) };
}

/** Handles the posted grading form without client JS. The hydrated page saves through save.ts instead. */
export const action = (form: Route.ActionArgs) => handlePanelForm(form);

export default function Approve({ loaderData: { desk, unsaved }, actionData }: Route.ComponentProps) {
  const screens = deskOf(useLocation());
  const root = useRootData();
  const dialog = useOutlet();
  return (
    <>
      <script
        nonce={root?.nonce}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours.
        dangerouslySetInnerHTML={{ __html: earlyKeysScript }}
      />
      <Hydrated
        name="grading-desk.island"
        component={GradingDesk}
        props={{
          desk,
          links: linksOf(screens, desk.report.assignment_id),
          refused: actionData ?? unsaved,
          covered: dialog !== null,
        }}
      />
      {dialog}
    </>
  );
}
