/** The tree of knowledge points, for administrators. The address says which points are unfolded. */
import { Button } from '@mantine/core';
import { listCatalogue } from '#server/catalogue/contract.ts';
import { everySchoolFault } from '#server/catalogue/rules.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { listPoints, orderPoint, type PointRow } from '#server/questions/points.contract.ts';
import { pointInUseFault } from '#server/questions/points.rules.ts';
import { countsText } from '#server/school/rules.ts';
import { api } from '../../api/client.server.ts';
import { CatalogueTabs } from '../../catalogue/catalogue-tabs.tsx';
import { readButton, readPostedForm, redirectBack } from '../../shell/form-action.server.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn, numberColumn } from '../../ui/columns.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { Form } from '../../ui/form.tsx';
import { List } from '../../ui/list.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { pointAdd, pointAddMany, pointDelete, pointEdit, pointList, pointMerge, pointMove } from '../screens.ts';
import type { Route } from './+types/list';
import { PointName } from './point-name.tsx';

export const meta: Route.MetaFunction = () => titleMeta('知识点');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listPoints);
  const client = context.get(api);
  const [points, subjects] = await Promise.all([
    client.send(listPoints, { filter: pointList.at(url).filter }),
    client.send(listCatalogue, { params: { kind: 'subjects' }, query: { limit: maxListLimit, all: 1 } }),
  ]);
  const everySchool = signedInPerson(context).every_school === 1;
  return { points, subjects: subjects.list, fault: everySchoolFault({ everySchool }) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [direction, id] = readButton(form, 'up', 'down');
  const outcome = await context.get(api).ask(orderPoint, { params: { id: Number(id) }, body: { direction } });
  return redirectBack(context, outcome, url);
}

export default function Points({ loaderData: { points, subjects, fault } }: Route.ComponentProps) {
  const view = useAddress(pointList);
  const { name, subject_id } = view.filter;
  const here = view.here;
  const add = fault === undefined && (
    <>
      <Button component="a" href={pointAddMany.href(here)} variant="default">
        批量添加
      </Button>
      <Button component="a" href={pointAdd.href(here)}>
        添加知识点
      </Button>
    </>
  );
  return (
    <Screen title="基础资料">
      <CatalogueTabs current="points" />
      {fault && <p>{fault}。</p>}
      <List<PointRow>
        view={view}
        result={points}
        caption="知识点列表"
        columns={[
          {
            key: 'name',
            header: '名称',
            minWidth: 200,
            cell: (row) => (
              <PointName row={row} filter={view.filter} unfolded={view.with}>
                {fault === undefined ? <a href={pointEdit.href(here, { id: row.id })}>{row.name}</a> : row.name}
              </PointName>
            ),
          },
          {
            key: 'subject',
            header: '科目',
            minWidth: 80,
            phone: 'hidden',
            cell: (row) => (row.path.length === 0 || name !== undefined ? row.subject_name || '未分科目' : ''),
          },
          numberColumn('children', '下级', (row) => row.children || '-'),
          numberColumn('questions', '题目', (row) => row.questions || '-'),
          fault === undefined &&
            actionsColumn((row) => {
              const { id, name: recordName } = row;
              const uses = countsText([
                [row.children, '个下级'],
                [row.questions, '道题目'],
              ]);
              return [
                { label: '编辑', recordName, href: pointEdit.href(here, { id }) },
                { label: '添加下级', recordName, href: pointAdd.href(here, { under: id }) },
                { label: '批量添加下级', recordName, href: pointAddMany.href(here, { under: id }) },
                { label: '移动', recordName, href: pointMove.href({ id }) },
                { label: '合并', recordName, href: pointMerge.href({ id }) },
                { label: '上移', recordName, intent: `up ${id}` },
                { label: '下移', recordName, intent: `down ${id}` },
                {
                  label: '删除',
                  recordName,
                  href: pointDelete.href(here, { id }),
                  fault: pointInUseFault(uses),
                  danger: true,
                },
              ];
            }),
        ]}
        nothing="暂无知识点"
        nothingFound="没有符合条件的知识点"
        filters={{
          first: [
            { label: '名称', name: 'name', value: name },
            { label: '科目', name: 'subject_id', value: subject_id, choices: choicesOf(subjects) },
          ],
          presets: [{ label: '全部展开', filter: { whole: 1 } }],
        }}
        actions={add}
        next={add}
        around={(table) => <Form action={here}>{table}</Form>}
      />
    </Screen>
  );
}
