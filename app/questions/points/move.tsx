/** Page to choose the knowledge point below which another one is moved. */
import { listPoints, movePoint, type PointRow, showPoint } from '#server/questions/points.contract.ts';
import { pointMessages } from '#server/questions/points.rules.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { idOf } from '../../lib/search.ts';
import { finishForm, readButton, readPostedForm } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn, numberColumn } from '../../ui/columns.tsx';
import { Form, Submit } from '../../ui/form.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { List } from '../../ui/list.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { pointList, pointMove, pointMoveList, pointScreen } from '../screens.ts';
import type { Route } from './+types/move';
import { PointName } from './point-name.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '知识点', href: pointScreen.href() }, { label: '移动知识点' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta('移动知识点', loaderData?.point.name);

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, movePoint);
  const client = context.get(api);
  const [point, points] = await Promise.all([
    client.send(showPoint, { params: { id: pointMove.at(url).id } }),
    client.send(listPoints, { filter: pointMoveList.at(url).filter }),
  ]);
  return { point, points };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [button, under] = readButton(form, 'under', 'top');
  const parent_id = button === 'under' ? idOf(under) : undefined;
  const from = textOf(form, 'from_id');
  const outcome = await context.get(api).ask(movePoint, {
    params: { id: pointMove.at(url).id },
    body: { parent_id, from_id: from === '' ? undefined : Number(from) },
  });
  return finishForm(context, outcome, pointList.href({ open: parent_id }), form);
}

export default function MovePoint({ loaderData: { point, points }, actionData }: Route.ComponentProps) {
  const view = useAddress(pointMoveList);
  const { name } = view.filter;
  const place = point.path.length > 0 ? point.path.join(' / ') : '最上级';
  return (
    <Screen title={`移动知识点：${point.name}`}>
      <p>
        现在位于：<strong>{place}</strong>
        {point.children > 0 && `，${point.children}个下级随之移动`}
      </p>
      <List<PointRow>
        view={view}
        result={points}
        caption="移到哪个知识点之下"
        columns={[
          {
            key: 'name',
            header: '移到',
            minWidth: 200,
            cell: (row) => (
              <PointName row={row} filter={view.filter} unfolded={view.with}>
                {row.name}
              </PointName>
            ),
          },
          numberColumn('children', '下级', (row) => row.children || '-'),
          actionsColumn((row) => [
            {
              label: '移到其下',
              recordName: row.name,
              intent: `under ${row.id}`,
              fault:
                row.id === point.id
                  ? pointMessages.ownParent
                  : row.id === point.parent_id
                    ? pointMessages.sameParent
                    : undefined,
            },
          ]),
        ]}
        nothing="暂无知识点"
        nothingFound="没有符合条件的知识点"
        filters={{ first: [{ label: '名称', name: 'name', value: name }] }}
        around={(table) => (
          <Form action={view.here} refused={actionData}>
            <HiddenFields fields={[['from_id', String(point.parent_id ?? 0)]]} />
            <p>
              <Submit intent="top" variant="default" disabled={point.parent_id === null}>
                移到最上级
              </Submit>
            </p>
            {table}
          </Form>
        )}
      />
    </Screen>
  );
}
