/** Messages from reading an uploaded file. */
import { type ImportRemark, listImportRemarks } from '#server/import/contract.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/reading-remarks';
import { importRemarks, importScreen } from './screens.ts';
import { toneChoices, toneNames } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '导入', href: importScreen.href() }, { label: '读取时的提示' }],
};

export const meta: Route.MetaFunction = () => titleMeta('读取时的提示');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listImportRemarks);
  const { filter, place } = importRemarks.at(url);
  return { remarks: await context.get(api).send(listImportRemarks, { params: { id: place.id }, filter }) };
}

export default function ImportReading({ loaderData: { remarks } }: Route.ComponentProps) {
  const view = useAddress(importRemarks);
  return (
    <Screen title="读取时的提示">
      <List<ImportRemark>
        view={view}
        result={remarks}
        caption="读取文件时的提示"
        columns={[
          { key: 'tone', header: '提示', nowrap: true, cell: (row) => toneNames[row.tone] },
          {
            key: 'place',
            header: '位置',
            minWidth: 140,
            cell: (row) => (row.row > 0 ? `${row.file} 第${row.row}行` : row.file),
          },
          { key: 'field', header: '字段', minWidth: 80, cell: (row) => row.field || '-' },
          { key: 'message', header: '内容', minWidth: 240, phone: 'line', cell: (row) => row.message },
        ]}
        nothing="没有提示"
        nothingFound="没有符合条件的提示"
        filters={{ first: [{ label: '提示', name: 'tone', value: view.filter.tone, choices: toneChoices }] }}
      />
    </Screen>
  );
}
