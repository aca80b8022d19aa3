/** Dialog over the pairs of similar questions that merges one into the other. */
import { joinTags } from '#server/questions/rules.ts';
import { mergeQuestions, planMerge } from '#server/questions/similar.contract.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { handleEdit } from '../shell/form-action.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { Route } from './+types/merge';
import { LabelledRow } from './question-view.tsx';
import { questionMerging, questionRecord } from './screens.ts';
import { ShortStem } from './short-stem.tsx';

export const meta: Route.MetaFunction = () => titleMeta('合并题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, mergeQuestions);
  const { kept, gone } = questionMerging.at(url);
  const plan = await context.get(api).send(planMerge, { params: { kept, gone } });
  return { plan, ...questionMerging.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { kept, gone } = questionMerging.at(url);
  return handleEdit(
    sent,
    questionMerging.behind(url),
    (client, idempotencyKey, form) =>
      client.ask(mergeQuestions, { params: { kept, gone }, body: readForm(mergeQuestions, form), idempotencyKey }),
    { href: questionRecord.href({ id: kept }), label: '查看记录' },
  );
};

const { DialogForm } = formOf<typeof mergeQuestions>();

export default function MergeQuestions({ loaderData, actionData }: Route.ComponentProps) {
  const { plan, closeHref, idempotencyKey } = loaderData;
  const { kept, gone, tags, point_path, fault, seen } = plan;
  if (fault) {
    return (
      <Dialog title="合并题目" closeHref={closeHref} message={fault}>
        <DialogClose closeHref={closeHref} words="返回" />
      </Dialog>
    );
  }
  return (
    <Dialog title="合并题目" closeHref={closeHref} width={520}>
      <LabelledRow label="保留">
        <ShortStem html={kept.display.ques_stem} />
      </LabelledRow>
      <LabelledRow label="并入">
        <ShortStem html={gone.display.ques_stem} />
      </LabelledRow>
      {point_path && <LabelledRow label="知识点">{point_path}</LabelledRow>}
      {tags.length > 0 && <LabelledRow label="标签">{joinTags(tags)}</LabelledRow>}
      <LabelledRow label="使用">{kept.uses + gone.uses} 次</LabelledRow>
      <p>
        并入的题目从题库中移除，使用情况和修改记录转到保留的题目；已布置的作业和考试不受影响。可以在“使用记录”中撤销。
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ seen }}
        submit="确定合并"
        noValidate
      >
        <HiddenField name="seen" />
      </DialogForm>
    </Dialog>
  );
}
