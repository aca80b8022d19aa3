/** Summary of content, audience and deadline. It stays beside the publish button while the page scrolls. */
import { rateMode } from '#server/grading/rules.ts';
import { countStudents } from '#server/homework/rules.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { formatLocalDay } from '../../lib/dates.ts';
import { type PublishForm, totalTenths } from './form.ts';
import styles from './publish.work.module.css';
import { audienceOf, type Choices } from './view.ts';

export function PublishSummary({ form, choices }: { form: PublishForm; choices: Choices }) {
  const parts = [audience(form, choices), amount(form), deadline(form)];
  return (
    <p className={styles.summary}>
      <span className="visually-hidden">将要布置：</span>
      {parts.join(' · ')}
    </p>
  );
}

const namesShown = 3;

/** Describes the classes that get the homework on publication, with the number of different students in them. */
function audience(form: PublishForm, choices: Choices): string {
  if (!choices.course) return '未选课程';
  const chosen = audienceOf(form, choices);
  if (chosen.length === 0) return '未选班级';
  const names = chosen.slice(0, namesShown).map(({ name }) => name);
  const classes = names.join('、') + (chosen.length > namesShown ? `等${chosen.length}个班` : '');
  return `${classes}，共${countStudents(chosen, choices.shared)}人`;
}

function amount(form: PublishForm): string {
  const { questions, is_set_score } = form;
  if (questions.length === 0) return '未选题目';
  const worth = is_set_score === String(rateMode) ? '按正确率批改' : `${formatScore(totalTenths(form) / 10)}分`;
  return `${questions.length}题 ${worth}`;
}

function deadline({ ending_time }: PublishForm): string {
  const day = formatLocalDay(ending_time);
  return day === undefined ? '未设截止时间' : `${day} 截止`;
}
