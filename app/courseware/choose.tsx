/**
 * Chooses wares of the library: `/courseware/choose?times_id=&times_type=&return=`.
 *
 * With `times_id` they are added to that lesson, and the way goes on to `return` (the lesson's courseware without).
 * Without it nothing is stored: the way goes on to `return?ware_ids=1,2`, for a screen that does something else with
 * them (document 1, section 7: "handed to the parent screen").
 */
import { data, redirect } from 'react-router';
import { safeRedirect } from 'remix-utils/safe-redirect';
import {
  attachWares,
  coursewareMessages,
  listLessonWares,
  listWareClassifies,
  listWares,
  WareFilter,
} from '#server/courseware/contract.ts';
import { api } from '../api.server.ts';
import { readSearch } from '../lib/search.ts';
import { done, idempotencyField } from '../shell/dialog-action.server.ts';
import type { Route } from './+types/choose';
import styles from './courseware.module.css';
import { lessonAddress } from './lesson-wares.tsx';
import { CoursewarePicker, chosenWares } from './picker.tsx';

export const handle = { crumbs: [{ label: '课件库', href: '/courseware' }, { label: '选择课件' }] };

export const meta: Route.MetaFunction = () => [{ title: '选择课件 · 教学后台' }];

/** The search params that say what the choice is for. */
function purposeOf(url: URL) {
  const kept: Record<string, string> = {};
  for (const name of ['times_id', 'times_type', 'return']) {
    const value = url.searchParams.get(name);
    if (value) kept[name] = value;
  }
  const { times_id, times_type } = kept;
  const usual = times_id ? lessonAddress('list', { times_id, times_type }) : '/courseware';
  return { kept, times_id, times_type, back: safeRedirect(kept.return, usual) };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const filter = readSearch(WareFilter, url.searchParams);
  const { kept, times_id, back } = purposeOf(url);
  const [wares, classifies, lesson] = await Promise.all([
    client.send(listWares, { query: filter }),
    client.send(listWareClassifies),
    times_id ? client.send(listLessonWares, { query: { times_id } }) : [],
  ]);
  const given = lesson.map(({ ware_id }) => ware_id).filter((id) => id > 0);
  const chosen = chosenWares(url.searchParams);
  return { filter, wares, classifies, given, chosen, kept, back, key: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const chosen = chosenWares(form);
  const { times_id, times_type, back } = purposeOf(url);
  const key = idempotencyField(form);
  if (chosen.length === 0) return data({ msg: coursewareMessages.none, chosen, key }, { status: 422 });
  if (!times_id) {
    const to = new URL(back, url);
    to.searchParams.set('ware_ids', chosen.join(','));
    throw redirect(to.pathname + to.search);
  }
  const outcome = await context.get(api).ask(attachWares, {
    body: { times_id, times_type, ware_id: chosen.join(',') },
    idempotencyKey: key,
  });
  if (outcome.ok) return done(context, outcome.msg, back);
  return data({ msg: outcome.msg, chosen, key }, { status: outcome.status });
}

export default function ChooseCourseware({ loaderData, actionData }: Route.ComponentProps) {
  const { filter, wares, classifies, given, chosen, kept, back, key } = loaderData;
  return (
    <main>
      <div className={styles.head}>
        <h1>选择课件</h1>
      </div>
      <CoursewarePicker
        path="/courseware/choose"
        {...{ kept, filter, wares, classifies, given }}
        chosen={actionData?.chosen ?? chosen}
        cancelHref={back}
        idempotencyKey={actionData?.key ?? key}
        message={actionData?.msg}
      />
    </main>
  );
}
