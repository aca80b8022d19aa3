/** What will be published, to whom and until when: stays in sight beside the button. */
import { byRate } from '#server/homework/rules.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import { formatLocalDay } from '../../lib/dates.ts';
import { type PublishForm, totalTenths } from './form.ts';
import styles from './publish.module.css';
import type { Choices } from './view.ts';

export function PublishSummary({ form, choices }: { form: PublishForm; choices: Choices }) {
  const parts = [audience(form, choices), amount(form), deadline(form)];
  return (
    <p className={styles.summary}>
      <span className="visually-hidden">将要布置：</span>
      {parts.join(' · ')}
    </p>
  );
}

/** The classes that get it at once, with their students. */
function audience({ class_choice, class_ids }: PublishForm, { course, classes }: Choices): string {
  if (!course) return '未选课程';
  const chosen = class_choice === 'some' ? classes.filter(({ id }) => class_ids.includes(String(id))) : classes;
  const students = chosen.reduce((sum, { students_count }) => sum + students_count, 0);
  return chosen.length === 0 ? '未选班级' : `${chosen.length}个班 ${students}人`;
}

function amount(form: PublishForm): string {
  const { questions, is_set_score } = form;
  if (questions.length === 0) return '未选题目';
  const worth = is_set_score === String(byRate) ? '按正确率批改' : `${shownScore(totalTenths(form) / 10)}分`;
  return `${questions.length}题 ${worth}`;
}

function deadline({ ending_time }: PublishForm): string {
  const day = formatLocalDay(ending_time);
  return day === undefined ? '未设截止时间' : `${day} 截止`;
}
