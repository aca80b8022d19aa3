import { eraseStudent, showErasurePreview } from '#server/privacy/contract.ts';
import { erasureEffectNames } from '#server/privacy/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { studentErase, studentRecord } from './screens.ts';
import styles from './students.posts.module.css';

const dialog = formDialog({
  call: eraseStudent,
  at: studentErase,
  params: studentRecord.at,
  title: '注销学员个人信息',
  submit: '确定注销',
  tone: 'danger',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params, url }) => {
  const foreseen = await client.send(showErasurePreview, { params });
  const isById = foreseen.confirmation === String(studentRecord.at(url).id);
  return { foreseen, asked: isById ? '编号' : '学号', refusal: foreseen.fault };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ TextField }, { foreseen, asked }) => {
  const { nickname, confirmation, leaving, counts } = foreseen;
  return (
    <>
      <p>
        学员：<strong>{nickname}</strong>
      </p>
      {leaving && (
        <p>
          <strong>{leaving}。</strong>
        </p>
      )}
      <p>
        注销后，姓名、手机号、头像、写下的文字、上传的图片和短信都会删除，成绩、考勤和统计以“已注销学员”和原来的学号保留。
        <strong>注销后不能恢复。</strong>
      </p>
      <details className={styles.going}>
        <summary>涉及{counts.reduce((sum, { count }) => sum + count, 0)}条记录</summary>
        <ul>
          {counts.map(({ table, name, becomes, count }) => (
            <li key={table}>
              {name}：{count}条，{erasureEffectNames[becomes]}
            </li>
          ))}
        </ul>
      </details>
      <TextField
        name="confirmation"
        label={`请输入该学员的${asked} ${confirmation} 以确认`}
        withAsterisk
        autoComplete="off"
      />
    </>
  );
});
