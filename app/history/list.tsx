/** History: each change with its author, time, old and new values. */
import { exportHistory, type HistoryRow, listHistory } from '#server/history/contract.ts';
import {
  actionNames,
  historyActions,
  historyRecords,
  maxHistoryRows,
  maxNamedRecords,
  recordNames,
} from '#server/history/rules.ts';
import { api } from '../api/client.server.ts';
import { localDay, weekOf } from '../lib/dates.ts';
import { readButton, readPostedForm, redirectToFile } from '../shell/form-action.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { ExportButton } from '../ui/export-button.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { useNow, usePerson, useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/list';
import { historyColumns } from './columns.tsx';
import { historyList } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('操作记录');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listHistory);
  return { history: await context.get(api).send(listHistory, { filter: historyList.at(url).filter }) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  readButton(await readPostedForm(request, context), 'export');
  const { page: _, limit: __, ...filter } = historyList.at(url).filter;
  return redirectToFile(context, await context.get(api).ask(exportHistory, { filter }), url);
}

const recordChoices = historyRecords.map((record) => [record, recordNames[record]] as const);
const actionChoices = historyActions.map((action) => [action, actionNames[action]] as const);

export default function History({ loaderData: { history } }: Route.ComponentProps) {
  const view = useAddress(historyList);
  const { filter } = view;
  const [now, timezone] = [useNow(), useTimezone()];
  const [today, week] = [localDay(now, timezone), weekOf(now, timezone)];
  return (
    <Screen title="操作记录">
      <List<HistoryRow>
        view={view}
        result={history}
        caption="操作记录"
        columns={[
          ...historyColumns(usePerson()),
          actionsColumn((row) => {
            const record = historyRecords.find((one) => one === row.record);
            if (record === undefined) return [];
            return [
              {
                label: '全部记录',
                recordName: row.title,
                href: historyList.href({ record, record_id: row.record_id }),
              },
            ];
          }),
        ]}
        nothing="暂无操作记录"
        nothingFound="没有符合条件的操作记录"
        filters={{
          first: [
            { label: '操作人', name: 'who', value: filter.who },
            { label: '学员', name: 'student', value: filter.student },
            { label: '动作', name: 'action', value: filter.action, choices: actionChoices },
          ],
          more: [
            { label: '对象', name: 'record', value: filter.record, choices: recordChoices },
            { label: '日期', from: ['start', filter.start], to: ['end', filter.end] },
          ],
          further: { staff_id: '某一操作人', student_id: '某一学员', record_id: '某一对象' },
          presets: [
            { label: '今天', filter: { start: today, end: today } },
            { label: '本周', filter: { start: week.from, end: week.to } },
            { label: '登录', filter: { action: 'signed_in' } },
            { label: '登录失败', filter: { action: 'sign-in-failed' } },
            { label: '导出', filter: { action: 'export' } },
            { label: '查看学员', filter: { action: 'viewed' } },
          ],
        }}
        above={
          <>
            {history.some_named === 1 && (
              <p>叫这个名字的人较多，只列出其中 {maxNamedRecords} 位的记录，请把姓名或手机号写得更全。</p>
            )}
            {history.total >= maxHistoryRows && <p>只列出最近的 {maxHistoryRows} 条，更早的请按日期筛选。</p>}
          </>
        }
        actions={<ExportButton action={view.here} />}
      />
    </Screen>
  );
}
