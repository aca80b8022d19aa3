/** An import: the changes that it would make or has made, record by record. */

import { Alert, Button } from '@mantine/core';
import { cancelImport, checkImport } from '#server/import/actions.contract.ts';
import { type ImportedRow, type ImportRecord, listImportRows, showImport } from '#server/import/contract.ts';
import { rowOutcomeNames, rowOutcomes } from '#server/import/rules.ts';
import { staffPasswords } from '../account/screens.ts';
import { api } from '../api/client.server.ts';
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { importWeek } from '../timetable/screens.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { Fact } from '../ui/facts.tsx';
import { Form, Submit } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { Moment } from '../ui/moment.tsx';
import { Progress } from '../ui/progress.tsx';
import { RecordHeader } from '../ui/record-header.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import type { Route } from './+types/detail';
import { FileDoubts } from './file-doubts.tsx';
import styles from './import.posts.module.css';
import {
  importApply,
  importChoices,
  importDetail,
  importDiscard,
  importMapping,
  importRefused,
  importRemarks,
  importRowChoice,
  importRows,
  importScreen,
  importUndo,
} from './screens.ts';
import { formatState, formatUploader, kindChoices, modeNames, rowOutcomeChoices, rowOutcomeTones } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '导入', href: importScreen.href() }, { label: '导入详情' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.record.file_name, '导入详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showImport);
  const { filter, place } = importRows.at(url);
  const client = context.get(api);
  const params = { id: place.id };
  const [record, changes] = await Promise.all([
    client.send(showImport, { params }),
    client.send(listImportRows, { params, filter }),
  ]);
  return { record, changes };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const [button] = readButton(await readPostedForm(request, context), 'check', 'cancel');
  const params = { id: importDetail.at(url).id };
  const call = button === 'check' ? checkImport : cancelImport;
  return redirectBack(context, await context.get(api).ask(call, { params }), url);
}

export default function ImportDetail({ loaderData: { record, changes } }: Route.ComponentProps) {
  const view = useAddress(importRows);
  const { filter } = view;
  const canChoose = record.job === '' && (record.state === 'checked' || record.state === 'held');
  return (
    <Screen>
      <RecordHeader
        title={
          <>
            {record.file_name} <Tag tone={record.state === 'held' ? 'warn' : 'plain'}>{formatState(record)}</Tag>
          </>
        }
        facts={
          <>
            <Fact term="来源">{record.source}</Fact>
            <Fact term="范围">{modeNames[record.mode]}</Fact>
            <Fact term="操作人">{formatUploader(record)}</Fact>
            <Fact term="上传时间">
              <Moment at={record.created_at} />
            </Fact>
            {record.applied_at !== null && (
              <Fact term="导入时间">
                <Moment at={record.applied_at} />
              </Fact>
            )}
            {record.undone_at !== null && (
              <Fact term="撤销时间">
                <Moment at={record.undone_at} />
              </Fact>
            )}
          </>
        }
      >
        {record.failure && <Alert>{record.failure}</Alert>}
        {record.state === 'applied' && countOf(record, 'staff', 'new') > 0 && (
          <p>
            新增的人员还没有密码，<a href={staffPasswords.href()}>打印初始密码</a>。
          </p>
        )}
        {record.stayed > 0 && (
          <p>
            有{record.stayed}条没有撤销，<a href={importRows.href({ id: record.id, stayed: '1' })}>查看原因</a>。
          </p>
        )}
      </RecordHeader>
      {record.job === '' ? <Actions record={record} here={view.here} /> : <Running record={record} here={view.here} />}
      {record.holds.length > 0 && record.state === 'held' && (
        <section className={styles.held} aria-label="已暂停">
          <strong>导入已暂停，确认后才能继续：</strong>
          <ul className={styles.said}>
            {record.holds.map(({ kind, reason, sentence }) => (
              <li key={`${kind} ${reason}`}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      {canChoose && record.doubted > 0 && (
        <p>
          读取文件时有<a href={importRemarks.href({ id: record.id, tone: 'doubted' })}>{record.doubted}处请核对</a>。
        </p>
      )}
      {canChoose && <FileDoubts record={record} />}
      {canChoose && record.to_check > 0 && (
        <p>
          <a href={importRows.href({ id: record.id, doubted: '1' })}>{record.to_check}条需要核对</a>
          ：有没有读取的内容，或与其他人相同的姓名、手机号。不核对也会导入。
        </p>
      )}
      {canChoose && record.columns_fault === '' && countOf(record, 'membership', 'refused') > 0 && (
        <p>
          有{countOf(record, 'membership', 'refused')}条进班不能导入。还没有的班级，可以在
          <a href={importMapping.href({ id: record.id })}>各列的含义</a>中选择新建。
        </p>
      )}
      {canChoose && record.columns_fault === '' && countOf(record, 'membership', 'match') > 0 && (
        <p>
          有{countOf(record, 'membership', 'match')}条进班的班级只有名称相近的。是哪一个班级，或者新建，可以在
          <a href={importMapping.href({ id: record.id })}>各列的含义</a>中按班级选择。
        </p>
      )}
      {record.effects.length > 0 && (
        <section aria-label="影响">
          <strong>影响：</strong>
          <ul className={styles.said}>
            {record.effects.slice(0, effectsShown).map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
            {record.effects.length > effectsShown && <li>等{record.effects.length}项</li>}
          </ul>
        </section>
      )}
      {record.kinds.length > 0 && <Counts record={record} />}
      <List<ImportedRow>
        view={view}
        result={changes}
        caption="变化列表"
        columns={[
          {
            key: 'label',
            header: '记录',
            minWidth: 140,
            phone: 'name',
            cell: (row) => (
              <>
                {row.label || row.source_id}
                <SubLine>
                  {row.kind_name}
                  {row.row > 0 && `，${row.file} 第${row.row}行`}
                </SubLine>
              </>
            ),
          },
          {
            key: 'verdict',
            header: '结果',
            nowrap: true,
            cell: (row) => <Tag tone={rowOutcomeTones[row.verdict]}>{rowOutcomeNames[row.verdict]}</Tag>,
          },
          { key: 'changes', header: '变化', minWidth: 260, phone: 'line', cell: (row) => <Changes row={row} /> },
          canChoose &&
            actionsColumn((row) =>
              row.verdict === 'match' ||
              row.verdict === 'conflict' ||
              row.changes.some(({ is_conflict }) => is_conflict)
                ? [{ label: '选择', recordName: row.label, href: importRowChoice.href(view.here, { row: row.id }) }]
                : [],
            ),
        ]}
        nothing={record.state === 'uploaded' ? '检查之后，变化逐条列在这里' : '没有变化'}
        nothingFound="没有符合条件的记录"
        filters={{
          first: [
            { label: '名称或编号', name: 'name', value: filter.name },
            { label: '类别', name: 'kind', value: filter.kind, choices: kindChoices },
            { label: '结果', name: 'verdict', value: filter.verdict, choices: rowOutcomeChoices },
          ],
          further: { doubted: '需要核对的', stayed: '没有撤销的' },
        }}
      />
    </Screen>
  );
}

/** Number of records of the kind with this outcome. */
const countOf = ({ kinds }: ImportRecord, kind: string, outcome: (typeof rowOutcomes)[number]): number =>
  kinds.find((one) => one.kind === kind)?.counts[rowOutcomes.indexOf(outcome)] ?? 0;

const effectsShown = 20;

function Actions({ record, here }: { record: ImportRecord; here: ReturnType<typeof importDetail.href> }) {
  const isOpen = record.check_fault === '';
  const choices = record.fields.length > 0 || (record.totals[rowOutcomes.indexOf('match')] ?? 0) > 0;
  const refused = record.refused + (record.totals[rowOutcomes.indexOf('refused')] ?? 0);
  return (
    <Toolbar>
      {record.apply_fault === '' && (
        <Button component="a" href={importApply.href(here)}>
          导入
        </Button>
      )}
      {record.columns_fault === '' && (
        <Button component="a" href={importMapping.href({ id: record.id })} variant="default">
          各列的含义
        </Button>
      )}
      {record.kinds.some(({ kind }) => kind === 'period' || kind === 'lesson') && (
        <Button component="a" href={importWeek.href({ id: record.id })} variant="default">
          按周查看课表
        </Button>
      )}
      {isOpen && choices && (
        <Button component="a" href={importChoices.href(here)} variant="default">
          选择冲突和匹配
        </Button>
      )}
      {refused > 0 && (
        <Button component="a" href={importRefused.href({ id: record.id })} variant="default">
          下载不能导入的{refused}行
        </Button>
      )}
      {record.refused + record.forgiven + record.doubted > 0 && (
        <Button component="a" href={importRemarks.href({ id: record.id })} variant="default">
          读取时的提示
        </Button>
      )}
      {isOpen && (
        <Form action={here}>
          <Submit intent="check" variant="default">
            重新检查
          </Submit>
        </Form>
      )}
      {record.discard_fault === '' && (
        <Button component="a" href={importDiscard.href(here)} variant="default">
          放弃
        </Button>
      )}
      {record.undo_fault === '' && (
        <Button component="a" href={importUndo.href(here)} variant="default">
          撤销导入
        </Button>
      )}
    </Toolbar>
  );
}

function Running({ record, here }: { record: ImportRecord; here: ReturnType<typeof importDetail.href> }) {
  return (
    <Toolbar>
      <span role="status">
        {formatState(record)}：<Progress done={record.done} all={record.total} />
      </span>
      <Button component="a" href={here} variant="default">
        刷新
      </Button>
      <Form action={here}>
        <Submit intent="cancel" variant="default">
          取消
        </Submit>
      </Form>
    </Toolbar>
  );
}

/** Table of row counts by kind of record and outcome. Each count links to its rows. */
function Counts({ record }: { record: ImportRecord }) {
  const shown = rowOutcomes.filter((_, at) => (record.totals[at] ?? 0) > 0);
  return (
    <div className={styles.counts}>
      <table>
        <caption>各类记录的变化</caption>
        <thead>
          <tr>
            <th scope="col">类别</th>
            {shown.map((verdict) => (
              <th key={verdict} scope="col">
                {rowOutcomeNames[verdict]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {record.kinds.map(({ kind, kind_name, counts }) => (
            <tr key={kind}>
              <th scope="row">{kind_name}</th>
              {shown.map((verdict) => {
                const count = counts[rowOutcomes.indexOf(verdict)] ?? 0;
                return (
                  <td key={verdict}>
                    {count > 0 ? <a href={importRows.href({ id: record.id, kind, verdict })}>{count}</a> : 0}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {record.refused > 0 && (
        <p>
          另有 <a href={importRemarks.href({ id: record.id, tone: 'refused' })}>{record.refused}处读取时就不能导入</a>
          ，不在上表中
        </p>
      )}
    </div>
  );
}

/** Lists the old and new values of a row, or the reasons for a refusal. */
function Changes({ row }: { row: ImportedRow }) {
  const { changes, reasons, doubts, effect, stayed, meant } = row;
  if (changes.length + reasons.length + doubts.length === 0 && !effect && !stayed && !meant) return '-';
  return (
    <ul className={styles.changes}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
      {meant && <li>{row.is_near === 1 ? meant : `可能是已有的记录（${meant}）`}，请确认</li>}
      {changes.map(({ field, name, before, after, is_conflict, kept }) => (
        <li key={`${field} ${is_conflict}`}>
          {name}：
          {is_conflict === 1 ? (
            <>
              手改为“{before || '空'}”，来源为“{after || '空'}”，{kept === 1 ? '保留手改' : '采用来源'}
            </>
          ) : (
            <>
              {before && <del>{before}</del>}
              {before && ' → '}
              <span>{after || '空'}</span>
            </>
          )}
        </li>
      ))}
      {doubts.map((doubt) => (
        <li key={doubt}>{doubt}</li>
      ))}
      {effect && <li>{effect}</li>}
      {stayed && <li>没有撤销：{stayed}</li>}
    </ul>
  );
}
