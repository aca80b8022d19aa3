import { homeworkButtons, homeworkClasses, publishToMoreClasses } from '#server/homework/contract.ts';
import { api } from '../api/client.server.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/continue';
import styles from './continue.module.css';
import { requireSameHomework } from './same-homework.ts';
import { publishToMore } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('继续发布');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { id, select } = publishToMore.at(url);
  requireSameHomework(url, id);
  const [homework, classes] = await Promise.all([
    client.send(homeworkButtons, { params: { id } }),
    client.send(homeworkClasses, { params: { id } }),
  ]);
  requireAllowed(context, homework.refusals.continue);
  const selectAll = select === 'all';
  const opened = publishToMore.opened(url);
  return {
    homework,
    classes,
    selectAll,
    selectHref: publishToMore.href(opened.closeHref, { id, select: selectAll ? undefined : 'all' }),
    ...opened,
  };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  requireSameHomework(url, publishToMore.at(url).id);
  return handleForm(sent, publishToMore.behind(url), (client, idempotencyKey, form) => {
    const classIds = form.getAll('class_ids').join(',');
    return client.ask(publishToMoreClasses, { params: { id: publishToMore.at(url).id, classIds }, idempotencyKey });
  });
};

const { ChecksField, DialogForm } = formOf<typeof publishToMoreClasses, 'class_ids'>();

export default function ContinuePublishing({ loaderData, actionData }: Route.ComponentProps) {
  const { homework, classes, selectAll, selectHref, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="继续发布" closeHref={closeHref} width={560}>
      <p>
        作业：<strong>{homework.name}</strong>
      </p>
      {classes.published.length > 0 && (
        <p className={styles.published}>已发布班级：{classes.published.map(({ name }) => name).join('、')}</p>
      )}
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ class_ids: selectAll ? classes.unpublished.map(({ id }) => id) : [] }}
        submit="发布"
        disabled={classes.unpublished.length === 0}
      >
        <div className={styles.classes}>
          <ChecksField
            name="class_ids"
            label={
              <>
                未发布班级
                {classes.unpublished.length > 1 && <a href={selectHref}>{selectAll ? '取消全选' : '全选'}</a>}
              </>
            }
            choices={classes.unpublished.map(({ id, name, students_count }) => [id, `${name}（${students_count} 人）`])}
          >
            {classes.unpublished.length === 0 && <p>没有未发布的班级</p>}
          </ChecksField>
        </div>
      </DialogForm>
    </Dialog>
  );
}
