/** HomeworkApprove and ExamPaperApprove: correction of one report after the other. */
import { useLocation, useOutlet } from 'react-router';
import { examManage } from '../exams/screens.ts';
import { homeworkManage } from '../homework/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { Hydrated } from '../ui/hydrated.tsx';
import { useRootData } from '../ui/root-data.ts';
import type { Route } from './+types/approve';
import { openDesk } from './desk/desk-calls.server.ts';
import { earlyKeysScript } from './desk/early-keys.ts';
import { actOnForm } from './desk/grade-form.server.ts';
import { GradingDesk } from './desk/grading-desk.tsx';
import { correctionList, deskOf, examDesk, linksOf } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: (pathname) =>
    deskOf({ pathname }) === examDesk
      ? [{ label: '考试管理', href: examManage.href() }, { label: '试卷批改' }]
      : [
          { label: '作业管理', href: homeworkManage.href() },
          { label: '作业批改', href: correctionList.href() },
          { label: '批改' },
        ],
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titled(loaderData ? `批改 ${loaderData.report.nickname}` : '批改');

export const loader = ({ context, url }: Route.LoaderArgs) => openDesk({ context, url });

/** The panel's form without client JS; with it, the page saves through its own address (save.ts). */
export const action = (form: Route.ActionArgs) => actOnForm(form);

export default function Approve({ loaderData, actionData }: Route.ComponentProps) {
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
          desk: loaderData,
          links: linksOf(screens, loaderData.report.pile_id),
          refused: actionData,
          covered: dialog !== null,
          root: root && { ...root, nonce: '' },
        }}
      />
      {dialog}
    </>
  );
}
