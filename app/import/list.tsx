/** List of uploads and their results. */

import { Button } from '@mantine/core';
import { type ImportListRow, listImportSources, listImports } from '#server/import/contract.ts';
import { exportSchools } from '#server/import/export.contract.ts';
import { exportForms } from '#server/import/rules.ts';
import { api } from '../api/client.server.ts';
import { readButton, readPostedForm, redirectToFile } from '../shell/form-action.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { importTimetable } from '../timetable/screens.ts';
import { choicesOf } from '../ui/filter-form.tsx';
import { Form, Submit } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import { importRollOver } from '../year-rollover/screens.ts';
import type { Route } from './+types/list';
import { importDetail, importList, importUpload } from './screens.ts';
import { exportNames, formatState, formatUploader, modeNames, stateChoices } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('导入和导出');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listImports);
  const client = context.get(api);
  const [imports, sources] = await Promise.all([
    client.send(listImports, { filter: importList.at(url).filter }),
    client.send(listImportSources),
  ]);
  return { imports, sources, permissions: signedInPerson(context).permissions };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const [form] = readButton(await readPostedForm(request, context), ...exportForms);
  return redirectToFile(context, await context.get(api).ask(exportSchools, { body: { form } }), url);
}

export default function Imports({ loaderData: { imports, sources, permissions } }: Route.ComponentProps) {
  const view = useAddress(importList);
  const upload = (
    <Button component="a" href={importUpload.href()}>
      上传文件
    </Button>
  );
  return (
    <Screen title="导入和导出">
      <List<ImportListRow>
        view={view}
        result={imports}
        caption="导入列表"
        columns={[
          {
            key: 'file',
            header: '文件',
            minWidth: 180,
            phone: 'name',
            cell: (row) => (
              <>
                <a href={importDetail.href({ id: row.id })}>{row.file_name}</a>
                <SubLine>
                  {modeNames[row.mode]}，{row.total}行
                </SubLine>
              </>
            ),
          },
          { key: 'source', header: '来源', minWidth: 100, cell: (row) => row.source },
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            cell: (row) => (
              <>
                <Tag
                  tone={row.job ? 'accent' : row.state === 'held' ? 'warn' : row.state === 'applied' ? 'good' : 'plain'}
                >
                  {formatState(row)}
                </Tag>
                {row.failure && <SubLine>{row.failure}</SubLine>}
              </>
            ),
          },
          { key: 'by', header: '操作人', nowrap: true, cell: (row) => formatUploader(row) },
          timeColumn('created', '上传时间', (row) => row.created_at),
        ]}
        nothing="还没有导入过"
        nothingFound="没有符合条件的导入"
        filters={{
          first: [
            { label: '状态', name: 'state', value: view.filter.state, choices: stateChoices },
            { label: '来源', name: 'source_id', value: view.filter.source_id, choices: choicesOf(sources) },
          ],
          further: { waiting: '待确认' },
        }}
        actions={
          <>
            {permissions.includes('people') && (
              <Form action={view.here} className="no-print">
                {exportForms.map((form) => (
                  <Submit key={form} intent={form} variant="default">
                    {exportNames[form]}
                  </Submit>
                ))}
              </Form>
            )}
            {permissions.includes('teaching') && (
              <>
                <Button component="a" href={importTimetable.href()} variant="default">
                  排课表
                </Button>
                <Button component="a" href={importRollOver.href()} variant="default">
                  学期更替
                </Button>
              </>
            )}
            {upload}
          </>
        }
        next={upload}
      />
    </Screen>
  );
}
