/**
 * Steps that a school still has to take, with the consequence of leaving each out. Once none is open, only those
 * put away are left.
 */

import type { Overview, StartState } from '#server/workbench/administration.contract.ts';
import { type StartStep, startStepNames } from '#server/workbench/rules.ts';
import { staffAdd } from '../account/screens.ts';
import { catalogue } from '../catalogue/screens.ts';
import { adminClassAdd, adminClassList } from '../classes/screens.ts';
import { courseAdd, courseList } from '../courses/screens.ts';
import { importUpload } from '../import/screens.ts';
import { schoolList } from '../schools/screens.ts';
import { backups, holidays, settings } from '../settings/screens.ts';
import { studentAdd } from '../students/screens.ts';
import { Form } from '../ui/form.tsx';
import { RowAction } from '../ui/row-action.tsx';
import styles from './administration.posts.module.css';

/** Consequence of leaving the step out. */
const without: Record<StartStep, string> = {
  schools: '没有学校，人员、班级和课程没有归属。',
  staff: '没有讲师和助教，没有人布置和批改作业。',
  students: '没有学员，班级是空的，没有人交作业。',
  courses: '课程没有课时，就不会出现在课表中，也不能点名。',
  classes: '班级没有学员，作业和公告就没有人收到。',
  terms: '没有学期，排课表和学期更替时要自己填写起止日期。上学期、下学期的类别选“学期”。',
  holidays: '没有节假日，批量排课会排到放假的日子。',
  learners:
    '不打开学员端，学员只能在学校自己的应用里交作业、看课表。打开后用学号或手机号登录，也可以用学校的统一身份登录。',
  messages: '没有短信，学员不能用验证码登录，也收不到讲师请假的通知。',
  backup: '没有备份，服务器损坏时全部记录无法找回。',
  administrators: '管理全部学校的教务只有一位，忘记密码或离职后，没有人能管理全部设置。',
};

const screenOf = (step: StartStep, overview: Overview): string =>
  ({
    schools: schoolList.href(),
    staff: staffAdd.href(),
    students: studentAdd.href(),
    courses: overview.courses > 0 ? courseList.href() : courseAdd.href(),
    classes: overview.classes > 0 ? adminClassList.href() : adminClassAdd.href(),
    terms: catalogue.href({ kind: 'terms' }),
    holidays: holidays.href(),
    learners: settings.href({ tab: 'school' }),
    messages: settings.href({ tab: 'messages' }),
    backup: backups.href(),
    administrators: staffAdd.href(),
  })[step];

/** Steps that a file of lists can take at once. */
const imported: readonly StartStep[] = ['staff', 'students', 'courses', 'classes'];

export function StartList({ overview, mayDismiss }: { overview: Overview; mayDismiss: boolean }) {
  const { start } = overview;
  const isOpen = ({ is_done, is_away }: (typeof start)[number]) => is_done === 0 && is_away === 0;
  const done = start.filter(({ is_done }) => is_done === 1);
  const away = start.filter(({ is_away }) => is_away === 1);
  if (!start.some(isOpen)) return away.length > 0 && mayDismiss ? <DismissedSteps away={away} mayDismiss /> : null;
  return (
    <section className={styles.start} aria-label="开始使用">
      <h2>开始使用</h2>
      {start.some((one) => isOpen(one) && imported.includes(one.step)) && (
        <p>
          已有人员、学员、课程或班级的名单，可以<a href={importUpload.href()}>导入文件</a>；或者逐项添加。
        </p>
      )}
      <Form>
        <ul className={styles.steps}>
          {start.filter(isOpen).map(({ step }) => (
            <li key={step}>
              <a href={screenOf(step, overview)}>{startStepNames[step]}</a>
              <span>{without[step]}</span>
              {mayDismiss && <RowAction label="不需要" recordName={startStepNames[step]} intent={`away ${step}`} />}
            </li>
          ))}
        </ul>
      </Form>
      {done.length > 0 && <p>已完成：{done.map(({ step }) => startStepNames[step]).join('；')}</p>}
      {away.length > 0 && <DismissedSteps away={away} mayDismiss={mayDismiss} />}
    </section>
  );
}

function DismissedSteps({ away, mayDismiss }: { away: readonly StartState[]; mayDismiss: boolean }) {
  return (
    <details className={styles.away}>
      <summary>不需要的（{away.length}）</summary>
      <Form>
        <ul className={styles.steps}>
          {away.map(({ step }) => (
            <li key={step}>
              <span>{startStepNames[step]}</span>
              {mayDismiss && <RowAction label="恢复" recordName={startStepNames[step]} intent={`back ${step}`} />}
            </li>
          ))}
        </ul>
      </Form>
    </details>
  );
}
