/** ExamPaperApprove (document 1, section 2): the grading screen over the calls of exams. */
import { useOutlet } from 'react-router';
import type { Route } from './+types/exam-approve';
import { examCalls } from './exam-calls.server.ts';
import { actOnForm } from './grade-form.server.ts';
import { GradingScreen } from './grading-desk.tsx';
import { openScreen } from './open-desk.server.ts';
import { examPlaces } from './places.ts';

export const handle = {
  hydrate: true,
  crumbs: [{ label: '考试管理', href: '/exams' }, { label: '试卷批改' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `批改 ${loaderData.report.nickname} · 教学后台` : '批改 · 教学后台' },
];

export const loader = ({ context, url }: Route.LoaderArgs) => openScreen(examCalls, { context, url });

/** The panel's form without client JS; with it, the page saves through its own address (exam-save.ts). */
export const action = ({ request, context, url }: Route.ActionArgs) =>
  actOnForm({ calls: examCalls, request, context, url });

export default function ExamPaperApprove({ loaderData, actionData }: Route.ComponentProps) {
  return <GradingScreen desk={loaderData} places={examPlaces} refused={actionData} dialog={useOutlet()} />;
}
