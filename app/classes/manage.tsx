/** ClassManage (document 3, section 2): the state-school classes. */
import { useOutlet } from 'react-router';
import { ClassFilter, listClasses } from '#server/classes/contract.ts';
import { classifyOptions, gradeOptions } from '#server/school/contract.ts';
import { api } from '../api.server.ts';
import { pageOf, redirectToLastPage } from '../lib/last-page.server.ts';
import { isUsuallyOn, readSearch } from '../lib/search.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import type { Route } from './+types/manage';
import { ClassList } from './class-list.tsx';

export const meta: Route.MetaFunction = () => [{ title: '班级管理 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const { identity, settings } = signedInPerson(context);
  const client = context.get(api);
  const { only_mine: _, ...asked } = readSearch(ClassFilter, url.searchParams);
  const filter = {
    ...asked,
    // What the school does not show is no filter either.
    grade_id: settings.show_grade ? asked.grade_id : undefined,
    classify_id: settings.show_classify ? asked.classify_id : undefined,
  };
  const onlyMine = identity === 'teacher' && isUsuallyOn(url.searchParams, 'only_mine');
  const [classes, grades, classifies] = await Promise.all([
    client.send(listClasses, { query: { ...filter, only_mine: onlyMine ? 1 : undefined } }),
    settings.show_grade ? client.send(gradeOptions) : undefined,
    settings.show_classify ? client.send(classifyOptions) : undefined,
  ]);
  redirectToLastPage(classes, pageOf(url));
  return { filter, onlyMine, classes, grades, classifies, identity, now: Math.floor(Date.now() / 1000) };
}

export default function ClassManage({ loaderData }: Route.ComponentProps) {
  const dialog = useOutlet();
  return (
    <>
      {/* With a dialog open, the list behind it is out of reach. */}
      <main inert={dialog !== null}>
        <h1 className="visually-hidden">班级管理</h1>
        <ClassList {...loaderData} />
      </main>
      {dialog}
    </>
  );
}
