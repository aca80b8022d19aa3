/** Catalogues: grades, categories, subjects, rooms and terms. Administrators set the order of each list. */
import { Button } from '@mantine/core';
import { type CatalogueRow, catalogueSchools, listCatalogue, moveCatalogueEntry } from '#server/catalogue/contract.ts';
import {
  catalogueNames,
  everySchoolFault,
  formatDays,
  hasDays,
  hasLevels,
  inUseFault,
  isOfSchool,
  termTypeNames,
} from '#server/catalogue/rules.ts';
import { api } from '../api/client.server.ts';
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { choicesOf } from '../ui/filter-form.tsx';
import { Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/list';
import { CatalogueTabs } from './catalogue-tabs.tsx';
import { catalogueList, entryAdd, entryArchive, entryDelete, entryEdit, entryMerge, entryRestore } from './screens.ts';
import { TreeRow } from './tree-row.tsx';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(catalogueNames[loaderData?.kind ?? 'grades']);

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listCatalogue);
  const { filter, place } = catalogueList.at(url);
  const { kind } = place;
  const client = context.get(api);
  const [entries, schools] = await Promise.all([
    client.send(listCatalogue, { params: { kind }, filter }),
    isOfSchool(kind) ? client.send(catalogueSchools) : [],
  ]);
  const everySchool = signedInPerson(context).every_school === 1;
  return { kind, entries, schools, fault: isOfSchool(kind) ? undefined : everySchoolFault({ everySchool }) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [direction, id] = readButton(form, 'up', 'down');
  const { kind } = catalogueList.at(url).place;
  const params = { kind, id: Number(id) };
  const outcome = await context.get(api).ask(moveCatalogueEntry, { params, body: { direction } });
  return redirectBack(context, outcome, url);
}

export default function Catalogue({ loaderData: { kind, entries, schools, fault } }: Route.ComponentProps) {
  const view = useAddress(catalogueList);
  const { name, school_id, all } = view.filter;
  const what = catalogueNames[kind];
  const here = view.here;
  const add = fault === undefined && (
    <Button component="a" href={entryAdd.href(here)}>
      添加{what}
    </Button>
  );
  return (
    <Screen title="基础资料">
      <CatalogueTabs current={kind} />
      {fault && <p>{fault}。</p>}
      <List<CatalogueRow>
        view={view}
        result={entries}
        caption={`${what}列表`}
        columns={[
          {
            key: 'name',
            header: '名称',
            minWidth: 160,
            cell: (row) => (
              <TreeRow depth={name === undefined ? row.depth : 0}>
                {fault === undefined ? <a href={entryEdit.href(here, { id: row.id })}>{row.name}</a> : row.name}
                {name !== undefined && row.parent_name && <SubLine>上级：{row.parent_name}</SubLine>}
              </TreeRow>
            ),
          },
          isOfSchool(kind) && { key: 'school', header: '学校', cell: (row) => row.school_name },
          isOfSchool(kind) && numberColumn('seats', '座位数', (row) => row.seats || '-'),
          hasDays(kind) && { key: 'type', header: '类别', cell: (row) => row.type && termTypeNames[row.type] },
          hasDays(kind) && { key: 'days', header: '起止日期', phone: 'line', cell: (row) => formatDays(row) || '未定' },
          { key: 'uses', header: '使用情况', phone: 'line', cell: (row) => row.uses || '未使用' },
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            phone: 'bare',
            cell: (row) => (row.is_put_away === 1 ? <Tag tone="bad">已停用</Tag> : <Tag tone="good">在用</Tag>),
          },
          fault === undefined &&
            actionsColumn((row) => {
              const { id, name: recordName } = row;
              return [
                { label: '编辑', recordName, href: entryEdit.href(here, { id }) },
                hasLevels(kind) && { label: '添加下级', recordName, href: entryAdd.href(here, { under: id }) },
                { label: '上移', recordName, intent: `up ${id}` },
                { label: '下移', recordName, intent: `down ${id}` },
                row.is_put_away === 1
                  ? { label: '恢复', recordName, href: entryRestore.href(here, { id }) }
                  : { label: '停用', recordName, href: entryArchive.href(here, { id }) },
                { label: '合并', recordName, href: entryMerge.href(here, { id }) },
                {
                  label: '删除',
                  recordName,
                  href: entryDelete.href(here, { id }),
                  fault: inUseFault(row.uses),
                  danger: true,
                },
              ];
            }),
        ]}
        nothing={`暂无${what}`}
        nothingFound={`没有符合条件的${what}`}
        filters={{
          first: [
            { label: '名称', name: 'name', value: name },
            schools.length > 1 && {
              label: '所属学校',
              name: 'school_id',
              value: school_id,
              choices: choicesOf(schools),
            },
            { label: '显示已停用', name: 'all', checked: all === 1 },
          ],
        }}
        actions={add}
        next={add}
        around={(table) => <Form action={here}>{table}</Form>}
      />
    </Screen>
  );
}
