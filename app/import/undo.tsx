import { tryUndo, undoImport } from '#server/import/actions.contract.ts';
import { showImport } from '#server/import/contract.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { importDetail, importUndo } from './screens.ts';

const dialog = formDialog({
  call: undoImport,
  at: importUndo,
  params: importDetail.at,
  title: '撤销导入',
  submit: '确定撤销',
  tone: 'danger',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const record = await client.send(showImport, { params });
  const tried = record.undo_fault ? null : await client.send(tryUndo, { params });
  return { name: record.file_name, tried, refusal: record.undo_fault };
});

export const action = dialogAction(dialog);

const maxReasons = 10;

/** Names the records of one kind, such as 学员12条（张三、李四等）. */
const groupText = ({ kind_name, count, labels }: { kind_name: string; count: number; labels: string[] }): string =>
  `${kind_name}${count}条（${labels.join('、')}${count > labels.length ? '等' : ''}）`;

export default dialog.page<typeof loader>((_, { name, tried }) => (
  <>
    <p>
      导入：<strong>{name}</strong>
    </p>
    <p>修改过的恢复原来的内容，新增而没有用过的会删除；之后又有人改动或用到的保留，并列出原因。</p>
    {tried?.is_tried === 1 && (
      <>
        <p>现在撤销，恢复或删除：{tried.goes.length === 0 && '没有'}</p>
        <ul hidden={tried.goes.length === 0}>
          {tried.goes.map((group) => (
            <li key={group.kind_name}>{groupText(group)}</li>
          ))}
        </ul>
        <p>保留：{tried.stays.length === 0 && '没有'}</p>
        <ul hidden={tried.stays.length === 0}>
          {tried.stays.slice(0, maxReasons).map((group) => (
            <li key={`${group.kind_name} ${group.why}`}>
              {groupText(group)}：{group.why}
            </li>
          ))}
          {tried.stays.length > maxReasons && <li>等{tried.stays.length}种</li>}
        </ul>
      </>
    )}
    <p>
      撤销与导入一样不发送消息，不通知学员、教师和其他应用。已经取走这些记录的应用（应用令牌、OneRoster）须重新读取全部列表。
    </p>
    <p>确定撤销吗？</p>
  </>
));
