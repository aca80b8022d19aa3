/** Form that requests leave for one period. */
import { leaveCauseLimit } from '#server/attendance/rules.ts';
import { textOf } from '../lib/form-data.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { Form, Submit } from '../ui/form.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/leave-request';
import { Lessons, RequestedLeave } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import styles from './learn.learn.module.css';
import { LearnerTime } from './moment.tsx';
import { learnLeave, learnLeaveRequest, learnLessons } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('请假');

const { AreaField } = fieldsOf<never, 'leave_cause'>();

/** Finds the lesson in the list of the day from which the form was opened. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { period_id, from } = learnLeaveRequest.at(url);
  const { list } = await context
    .get(learnerContext)
    .get(`lessons${from === undefined ? '' : `?from=${from}`}`, Lessons);
  return { lesson: list.find(({ kind, id }) => kind === 'period' && id === period_id) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { class_id, course_id, period_id } = learnLeaveRequest.at(url);
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const body = { class_id, course_id, course_periods_id: period_id, leave_cause: textOf(form, 'leave_cause') };
  const outcome = await context.get(learnerContext).post('leave', body, RequestedLeave);
  return outcome.ok ? redirectWithMessage(context, outcome.msg, learnLeave.href()) : refusedForm(outcome, form);
}

export default function LearnerLeaveRequest({ loaderData: { lesson }, actionData }: Route.ComponentProps) {
  return (
    <Screen className={styles.card} title="请假">
      {lesson && (
        <p>
          {lesson.course?.name} · {lesson.title}，<LearnerTime at={lesson.start} />
        </p>
      )}
      {lesson?.may_ask_leave === 0 && !actionData ? (
        <p>
          该课时现在不能请假。<a href={learnLessons.href()}>返回课表</a>
        </p>
      ) : (
        <Form refused={actionData} className={styles.form} noValidate>
          <AreaField name="leave_cause" label="请假原因" limit={leaveCauseLimit} autosize minRows={3} />
          <div className={styles.deeds}>
            <Submit>提交</Submit>
            <a href={learnLessons.href()}>返回课表</a>
          </div>
        </Form>
      )}
    </Screen>
  );
}
