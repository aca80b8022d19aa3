/** Page to choose the knowledge point into which another one is merged. */
import { mergeMessages } from '#server/catalogue/rules.ts';
import { listPoints, mergePoint, type PointRow, showPoint } from '#server/questions/points.contract.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { idOf } from '../../lib/search.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn, numberColumn } from '../../ui/columns.tsx';
import { Form } from '../../ui/form.tsx';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { List } from '../../ui/list.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { pointList, pointMerge, pointMergeList, pointScreen } from '../screens.ts';
import type { Route } from './+types/merge';
import { PointName } from './point-name.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '知识点', href: pointScreen.href() }, { label: '合并知识点' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta('合并知识点', loaderData?.point.name);

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, mergePoint);
  const client = context.get(api);
  const [point, points] = await Promise.all([
    client.send(showPoint, { params: { id: pointMerge.at(url).id } }),
    client.send(listPoints, { filter: pointMergeList.at(url).filter }),
  ]);
  return { point, points };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [, into] = readButton(form, 'into');
  const into_id = idOf(into);
  const outcome = await context.get(api).ask(mergePoint, {
    params: { id: pointMerge.at(url).id },
    body: { into_id, acknowledged: textOf(form, 'acknowledged') },
  });
  if (outcome.ok) return redirectWithMessage(context, outcome.msg, pointList.href({ open: into_id }));
  const { acknowledged } = (outcome.data ?? {}) as { acknowledged?: unknown };
  if (typeof acknowledged === 'string') form.set('acknowledged', acknowledged);
  return refusedForm(outcome, form);
}

export default function MergePoint({ loaderData: { point, points }, actionData }: Route.ComponentProps) {
  const view = useAddress(pointMergeList);
  const { name } = view.filter;
  const place = point.path.length > 0 ? point.path.join(' / ') : '最上级';
  return (
    <Screen title={`合并知识点：${point.name}`}>
      <p>
        位于：<strong>{place}</strong>，{point.questions}道题目、{point.children}
        个下级将归入所选的知识点，之后“{point.name}”不再存在。
      </p>
      <List<PointRow>
        view={view}
        result={points}
        caption="合并到哪个知识点"
        columns={[
          {
            key: 'name',
            header: '合并到',
            minWidth: 200,
            cell: (row) => (
              <PointName row={row} filter={view.filter} unfolded={view.with}>
                {row.name}
              </PointName>
            ),
          },
          numberColumn('questions', '题目', (row) => row.questions || '-'),
          numberColumn('children', '下级', (row) => row.children || '-'),
          actionsColumn((row) => [
            {
              label: '合并到此',
              recordName: row.name,
              intent: `into ${row.id}`,
              fault: row.id === point.id ? mergeMessages.itself : undefined,
            },
          ]),
        ]}
        nothing="暂无知识点"
        nothingFound="没有符合条件的知识点"
        filters={{ first: [{ label: '名称', name: 'name', value: name }] }}
        around={(table) => (
          <Form action={view.here} refused={actionData}>
            <HiddenField name="acknowledged" />
            {table}
          </Form>
        )}
      />
    </Screen>
  );
}
