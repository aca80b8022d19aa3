/** List of reported mistakes in questions, for administrators. */
import { type ErrorReportRow, listErrorReports } from '#server/questions/error-reports.contract.ts';
import { api } from '../../api/client.server.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn } from '../../ui/columns.tsx';
import { List } from '../../ui/list.tsx';
import { NearMoment, timeColumn } from '../../ui/moment.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import { Tag } from '../../ui/tag.tsx';
import { errorReportAnswer, errorReportDetail, errorReportEdit, errorReportList } from '../screens.ts';
import { ShortStem } from '../short-stem.tsx';
import { errorReportStateChoices, errorTypeChoices, errorTypeNames, outcomeName, outcomeTone } from '../terms.ts';
import type { Route } from './+types/list';

export const meta: Route.MetaFunction = () => titleMeta('题目纠错');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listErrorReports);
  return { errorReports: await context.get(api).send(listErrorReports, { filter: errorReportList.at(url).filter }) };
}

export default function ErrorReports({ loaderData: { errorReports } }: Route.ComponentProps) {
  const view = useAddress(errorReportList);
  const { filter } = view;
  return (
    <Screen title="题目纠错">
      <List<ErrorReportRow>
        view={view}
        result={errorReports}
        caption="纠错列表"
        columns={[
          {
            key: 'stem',
            header: '题干',
            minWidth: 220,
            phone: 'name',
            cell: (row) => (
              <a href={errorReportDetail.href({ id: row.id })}>
                {row.stem_text ? <ShortStem html={row.preview} /> : '（图片或公式）'}
              </a>
            ),
          },
          { key: 'type', header: '纠错类型', nowrap: true, cell: (row) => errorTypeNames[row.type] },
          {
            key: 'error',
            header: '纠错内容',
            minWidth: 220,
            phone: 'line',
            cell: (row) => <span data-written>{row.error_msg}</span>,
          },
          { key: 'reporter', header: '提交人', minWidth: 80, cell: (row) => row.reporter },
          {
            key: 'owner',
            header: '题目所有者',
            minWidth: 100,
            cell: (row) => (
              <>
                {row.owner || '题目已删除'}
                <SubLine>{row.school_name}</SubLine>
              </>
            ),
          },
          timeColumn('created', '提交时间', (row) => row.created_at),
          {
            key: 'outcome',
            header: '状态',
            minWidth: 100,
            phone: 'bare',
            cell: (row) => (
              <>
                <Tag tone={outcomeTone(row.outcome)}>{outcomeName(row.outcome)}</Tag>
                {row.decided_by && (
                  <SubLine>
                    {row.decided_by} <NearMoment at={row.decided_at ?? 0} />
                  </SubLine>
                )}
              </>
            ),
          },
          actionsColumn((row) => {
            const here = errorReportDetail.href({ id: row.id });
            const recordName = row.stem_text;
            if (row.outcome !== null) return [{ label: '查看', recordName, href: here }];
            return [
              { label: '处理', recordName, href: here },
              row.owner !== '' && { label: '更正题目', recordName, href: errorReportEdit.href({ id: row.id }) },
              { label: '回复', recordName, href: errorReportAnswer.href(here, { outcome: 2 }) },
              { label: '驳回', recordName, href: errorReportAnswer.href(here, { outcome: 3 }), danger: true },
            ];
          }),
        ]}
        nothing="没有待处理的纠错"
        nothingFound="没有符合条件的纠错"
        filters={{
          first: [
            { label: '题干、提交人', name: 'name', value: filter.name },
            { label: '状态', name: 'state', value: filter.state, choices: errorReportStateChoices, unchosen: '待处理' },
            { label: '纠错类型', name: 'type', value: filter.type, choices: errorTypeChoices },
          ],
        }}
      />
    </Screen>
  );
}
