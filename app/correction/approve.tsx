/** HomeworkApprove (document 1, section 2): correction of one report after the other. */
import { data, useOutlet } from 'react-router';
import { api } from '../api.server.ts';
import type { Route } from './+types/approve';
import { readAddress } from './address.ts';
import { actOnForm } from './grade-form.server.ts';
import { openDesk } from './grading.server.ts';
import { GradingDesk } from './grading-desk.tsx';
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

export async function loader({ context, url }: Route.LoaderArgs) {
  const opened = await openDesk(context.get(api), readAddress(url.searchParams));
  if (!opened.ok) throw data({ msg: opened.msg }, { status: opened.status });
  return opened.data;
}

/** The panel's form without client JS; with it, the page saves through its own address (save.ts). */
export const action = ({ request, context, url }: Route.ActionArgs) => actOnForm({ request, context, url });

export default function HomeworkApprove({ loaderData, actionData }: Route.ComponentProps) {
  const dialog = useOutlet();
  return (
    <>
      <div inert={dialog !== null}>
        <GradingDesk desk={loaderData} places={homeworkPlaces} refused={actionData} covered={dialog !== null} />
      </div>
      {dialog}
    </>
  );
}
