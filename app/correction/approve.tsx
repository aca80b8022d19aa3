/** HomeworkApprove (document 1, section 2): correction of one report after the other. */
import { useOutlet } from 'react-router';
import type { Route } from './+types/approve';
import { actOnForm } from './grade-form.server.ts';
import { GradingScreen } from './grading-desk.tsx';
import { homeworkCalls } from './homework-calls.server.ts';
import { openScreen } from './open-desk.server.ts';
import { homeworkPlaces } from './places.ts';

export const handle = {
  hydrate: true,
  crumbs: [
    { label: '作业管理', href: '/homework' },
    { label: '作业批改', href: '/homework?tab=approve' },
    { label: '批改' },
  ],
};

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `批改 ${loaderData.report.nickname} · 教学后台` : '批改 · 教学后台' },
];

export const loader = ({ context, url }: Route.LoaderArgs) => openScreen(homeworkCalls, { context, url });

/** The panel's form without client JS; with it, the page saves through its own address (save.ts). */
export const action = ({ request, context, url }: Route.ActionArgs) =>
  actOnForm({ calls: homeworkCalls, request, context, url });

export default function HomeworkApprove({ loaderData, actionData }: Route.ComponentProps) {
  return <GradingScreen desk={loaderData} places={homeworkPlaces} refused={actionData} dialog={useOutlet()} />;
}
